import { discard, episodes, getEpisode, keep, restore } from './episodeTools.js';
import type { Tool } from './tool.js';

/** What the sidebar and the command line need, in the order it is listed. */
export const adminTools: readonly Tool[] = [episodes, getEpisode, keep, discard, restore];
