import { posix, win32, type PlatformPath } from 'node:path';
import type { ProjectFiles } from './projectFiles.js';

/** Where walks and comparisons of folders happen: the platform's path rules and its files. */
export interface Disk {
  readonly path: PlatformPath;
  readonly files: ProjectFiles;
  /** The folder without symbolic links, as far as it can be resolved. */
  readonly real: (folder: string) => string;
  /** One text for all spellings of a folder that is already without links. */
  readonly id: (folder: string) => string;
  /** True where both paths, already without links, are the same folder. */
  readonly same: (a: string, b: string) => boolean;
  /** True for folders that are never a project, such as home. */
  readonly excluded: (folder: string) => boolean;
}

/** Without a home folder (empty), as in some containers, nothing is excluded for it. */
export function diskOf(home: string, platform: NodeJS.Platform, files: ProjectFiles): Disk {
  const path = platform === 'win32' ? win32 : posix;
  const real = (folder: string): string => files.realpath(folder) ?? path.resolve(folder);
  const id = (folder: string): string => {
    const trimmed = folder.normalize('NFC').replace(platform === 'win32' ? /[/\\]+$/ : /\/+$/, '');
    return platform === 'win32' ? trimmed.toLowerCase() : trimmed;
  };
  const homeId = home === '' ? null : id(real(home));
  return {
    path,
    files,
    real,
    id,
    same: (a, b) => id(a) === id(b),
    excluded: (folder) => {
      const found = real(folder);
      return id(found) === homeId || id(found) === id(path.parse(found).root);
    },
  };
}
