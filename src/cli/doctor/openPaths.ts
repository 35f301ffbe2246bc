import { chmod, lstat } from 'node:fs/promises';
import { error, warning, type Mend, type Observation } from './finding.js';
import { shellWord } from './shellWord.js';
import { listed } from './wording.js';

/** Group and others. */
const OTHERS = 0o077;
const WRITTEN_BY_OTHERS = 0o022;
const SHOWN = 3;

export interface OpenPath {
  readonly path: string;
  /** Permission bits. */
  readonly mode: number;
}

export interface ForeignPath {
  readonly path: string;
  /** Number of its owner. */
  readonly uid: number;
}

/** Those that belong to another user. */
export async function foreignPaths(paths: readonly string[], uid: number): Promise<ForeignPath[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return found.flatMap((entry, at) =>
    entry === null || entry.uid === uid ? [] : [{ path: paths[at] ?? '', uid: entry.uid }],
  );
}

/** Those of the files and folders of this user that others may do something with. Links count as what they are. */
export async function openPaths(paths: readonly string[], uid: number): Promise<OpenPath[]> {
  const found = await Promise.all(paths.map((path) => lstat(path).catch(() => null)));
  return found.flatMap((entry, at) => {
    const path = paths[at] ?? '';
    const isOpen = entry !== null && entry.uid === uid && (entry.mode & OTHERS) !== 0;
    return isOpen && (entry.isFile() || entry.isDirectory()) ? [{ path, mode: entry.mode & 0o7777 }] : [];
  });
}

/** Closes them to others. Permissions are only ever taken away. */
export function closing(open: readonly OpenPath[]): Mend {
  return {
    changes: open.map(({ path }) => path),
    apply: async () => {
      for (const { path } of open) {
        const found = await lstat(path);
        if (!found.isSymbolicLink()) await chmod(path, found.mode & 0o7777 & ~OTHERS);
      }
    },
  };
}

/** What is said of paths that are open; what others may write is worse than what they may read. */
export function openFinding(open: readonly OpenPath[], mend: Mend | undefined): Observation {
  const more = open.length > SHOWN ? [`${open.length - SHOWN} more`] : [];
  const named = open.slice(0, SHOWN).map(({ path, mode }) => `${path} (${octal(mode)})`);
  const [verb, whose] = open.length === 1 ? ['is', 'it'] : ['are', 'them'];
  const message = `${listed([...named, ...more])} ${verb} open to other users of this computer.`;
  const words = open.slice(0, SHOWN).map(({ path }) => shellWord(path));
  const advice = `Close ${whose} to others: chmod go= ${words.join(' ')}${more.length === 0 ? '' : ' ...'}`;
  const canWrite = open.some(({ mode }) => (mode & WRITTEN_BY_OTHERS) !== 0);
  return canWrite ? error(message, advice, mend) : warning(message, advice, mend);
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
