import { quoteForSh } from '../../clients/hookCommand.js';

/** A path as a shell, PowerShell too, takes it for one word; without quotes where it needs none. */
export function shellWord(path: string): string {
  return /^[\w./+@:-]+$/.test(path) ? path : quoteForSh(path);
}
