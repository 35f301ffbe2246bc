import { createHash } from 'node:crypto';
import { posix, win32 } from 'node:path';
import { sanitizeNamespace } from '../config/namespace.js';
import { diskFiles, type ProjectFiles } from './projectFiles.js';
import { repositoryRoot, type Disk } from './repository.js';

/** Whose memory. */
export interface Project {
  /** Identity, stored with every memory; empty for memories that every project sees. */
  readonly key: string;
  /** For people. Several projects may share a name. */
  readonly name: string;
}

export interface ProjectSources {
  /** From the configuration: the user's own choice, before it is made fit for storing. */
  readonly namespace: string | null;
  /** Where the client works. */
  readonly directory: string;
  /** The user's home folder. */
  readonly home: string;
  readonly platform?: NodeJS.Platform;
  readonly fs?: ProjectFiles;
}

const GLOBAL: Project = { key: '', name: 'global' };

/**
 * The project of a directory: the namespace where the user has set one, else the root of the main git worktree,
 * else the directory. Home and file system roots are no project. Reads a few small files and never fails.
 */
export function identifyProject(sources: ProjectSources): Project {
  const { namespace, directory, home, platform = process.platform, fs = diskFiles } = sources;
  return namespace === null ? ofFolder(directory, home, platform, fs) : ofNamespace(namespace);
}

function ofNamespace(namespace: string): Project {
  const slug = sanitizeNamespace(namespace);
  if (slug !== '') return { key: `namespace:${slug}`, name: slug };
  if (/^[\0-\x7f]*$/.test(namespace)) return { key: 'namespace:default', name: 'default' };
  // Names in scripts that the stored form cannot hold must not all become one.
  const folded = namespace.normalize('NFKC').toLowerCase();
  const digest = createHash('sha256').update(folded, 'utf8').digest('hex').slice(0, 8);
  return { key: `namespace:u-${digest}`, name: namespace.normalize('NFC').trim() };
}

function ofFolder(directory: string, home: string, platform: NodeJS.Platform, files: ProjectFiles): Project {
  const path = platform === 'win32' ? win32 : posix;
  const real = (folder: string): string => files.realpath(folder) ?? path.resolve(folder);
  const id = (folder: string): string => {
    const trimmed = folder.normalize('NFC').replace(platform === 'win32' ? /[/\\]+$/ : /\/+$/, '');
    return platform === 'win32' ? trimmed.toLowerCase() : trimmed;
  };
  // Without a home folder, as in some containers, nothing is excluded for it.
  const homeId = home === '' ? null : id(real(home));
  const disk: Disk = {
    path,
    files,
    same: (a, b) => id(a) === id(b),
    excluded: (folder) => {
      const found = real(folder);
      return id(found) === homeId || id(found) === id(path.parse(found).root);
    },
  };

  const start = real(directory);
  if (disk.excluded(start)) return GLOBAL;
  const root = real(repositoryRoot(start, disk));
  return { key: `path:${id(root)}`, name: displayName(root, disk) };
}

/** The folder's name, without what bare repositories add to it: `x.git` and `x/.bare` are both called `x`. */
function displayName(root: string, { path }: Disk): string {
  const name = path.basename(root);
  return name === '.bare' ? path.basename(path.dirname(root)) : name.replace(/(?<=.)\.git$/, '');
}
