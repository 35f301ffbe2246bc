import { linesBackwards } from './transcriptFile.js';
import { turnIn, type EndOfTurn, type FoundTurn } from './turn.js';

/**
 * The last complete pair of question and answer in the transcript `file` of Claude Code 2.x: one JSON object in a
 * line, without a published schema. Null where there is none in its last 8 MiB. Throws the system's error where the
 * file cannot be read, and an `Error` where it is no regular file.
 */
export function lastTurn(file: string, end: EndOfTurn): FoundTurn | null {
  return turnIn(linesBackwards(file), end);
}
