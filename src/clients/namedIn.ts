import { codeOf } from '../link/systemError.js';
import { readSettings } from './settingsFile.js';

/**
 * Whether one of these files has something in it, or may: what the system does not let anybody read counts, and of those
 * in `known` what is not there as well. Such a file may lie on a disk that is away for a while. A text that is broken
 * counts with its words: it may be mended.
 */
export async function mayBeNamedIn(
  files: readonly string[],
  isNamed: (text: string) => boolean,
  known: ReadonlySet<string> = new Set(),
): Promise<boolean> {
  const found = await Promise.all(
    files.map((file) =>
      readSettings(file).then(
        (content) => (content === null ? known.has(file) : isNamed(content.toString())),
        // What is a folder, or within a file, has nothing in it.
        (error: unknown) => !['', 'ENOTDIR'].includes(codeOf(error)) || known.has(file),
      ),
    ),
  );
  return found.includes(true);
}
