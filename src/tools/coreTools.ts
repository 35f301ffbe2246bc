import { driftReport } from './driftTool.js';
import { echo, get, search } from './findTools.js';
import { recall } from './recallTool.js';
import { forget, remember } from './rememberTool.js';
import { stats } from './statsTool.js';
import type { Tool } from './tool.js';

/** The toolset every client gets, in the order it is listed. */
export const coreTools: readonly Tool[] = [recall, remember, echo, search, get, forget, driftReport, stats];
