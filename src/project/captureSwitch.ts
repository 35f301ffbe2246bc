import { diskOf, type Disk } from './disk.js';
import { diskFiles, type ProjectFiles } from './projectFiles.js';
import { checkoutRoot, repositoryRoot } from './repository.js';

const NAME = '.subconscious.json';

export interface SwitchSources {
  /** Where the client works. */
  readonly directory: string;
  /** The user's home folder. */
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  readonly fs?: ProjectFiles;
}

/** A file that keeps sessions from being captured. */
export interface SwitchedOff {
  readonly file: string;
  /** What is wrong with the file, for people; null where it says `"capture": false`. */
  readonly fault: string | null;
}

/**
 * The `.subconscious.json` that switches capture off for this folder, or null. Looked at are the folder, those above
 * it up to the root of its repository, and the root of the main worktree. One that cannot be understood counts: it
 * can only be there to keep something private. Nothing else in it has any effect, because a repository must not be
 * able to name another project.
 */
export function captureSwitchedOff(sources: SwitchSources): SwitchedOff | null {
  const { directory, home, platform = process.platform, fs = diskFiles } = sources;
  const disk = diskOf(home, platform, fs);
  for (const folder of foldersAround(disk.real(directory), disk)) {
    const file = disk.path.join(folder, NAME);
    const fault = faultOf(file, fs);
    if (fault !== undefined) return { file, fault };
  }
  return null;
}

function foldersAround(start: string, disk: Disk): readonly string[] {
  const root = checkoutRoot(start, disk);
  if (root === null) return [start];
  const around: string[] = [];
  for (let folder = start; folder !== root; folder = disk.path.dirname(folder)) around.push(folder);
  return [...around, root, disk.real(repositoryRoot(start, disk))];
}

/** undefined: this file does not switch capture off. */
function faultOf(file: string, files: ProjectFiles): string | null | undefined {
  if (files.kind(file) === null) return undefined;
  const text = files.text(file);
  if (text === null) return 'it is no regular file of at most 4 kB that this user can read';
  const content = parsed(text);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    return 'it is no JSON object';
  const capture: unknown = 'capture' in content ? content.capture : true;
  if (capture === true) return undefined;
  return capture === false ? null : '"capture" is neither true nor false';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
