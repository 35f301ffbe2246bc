import { resolve } from 'node:path';
import { InvalidArgumentError } from 'commander';
import { expandHome } from '../config/config.js';

/** The absolute path of what a person wrote on the command line. In `--option=~/x` no shell replaces the `~`. */
export function saidPath(text: string, home: string): string {
  return resolve(expandHome(text, home));
}

/** The word behind an option that names a file, as it was written. Refuses an empty one, which would be this folder. */
export function fileWord(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Name a file, or leave the option out.');
}
