import { join, resolve } from 'node:path';

/** The absolute path of what a person wrote on the command line. In `--option=~/x` no shell replaces the `~`. */
export function saidPath(text: string, home: string): string {
  return resolve(/^~($|[/\\])/.test(text) ? join(home, text.slice(1)) : text);
}
