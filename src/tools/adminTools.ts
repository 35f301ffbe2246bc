import { getEntry, list, outline } from './browseTools.js';
import { drift, markReviewed } from './driftReviewTools.js';
import { forgetEntries, update } from './editTools.js';
import { discard, episodes, getEpisode, keep, restore } from './episodeTools.js';
import type { Tool } from './tool.js';
import { emptyTrash, trash } from './trashTools.js';

/** What the sidebar and the command line need, in the order it is listed. */
export const adminTools: readonly Tool[] = [
  ...[episodes, getEpisode, keep, discard, restore],
  ...[outline, list, getEntry, update, forgetEntries],
  ...[trash, emptyTrash],
  ...[drift, markReviewed],
];
