import { sanitizeNamespace } from '../config/namespace.js';
import { sha256 } from './digest.js';
import { diskOf, type Disk } from './disk.js';
import { diskFiles, type ProjectFiles } from './projectFiles.js';
import { repositoryRoot } from './repository.js';

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
  return namespace === null ? ofFolder(directory, diskOf(home, platform, fs)) : ofNamespace(namespace);
}

function ofNamespace(namespace: string): Project {
  const slug = sanitizeNamespace(namespace);
  if (slug !== '') return { key: `namespace:${slug}`, name: slug };
  if (/^[\0-\x7f]*$/.test(namespace)) return { key: 'namespace:default', name: 'default' };
  // Names in scripts that the stored form cannot hold must not all become one.
  const folded = namespace.normalize('NFKC').toLowerCase();
  return { key: `namespace:u-${sha256(folded).slice(0, 8)}`, name: namespace.normalize('NFC').trim() };
}

function ofFolder(directory: string, disk: Disk): Project {
  const start = disk.real(directory);
  if (disk.excluded(start)) return GLOBAL;
  const root = disk.real(repositoryRoot(start, disk));
  return { key: `path:${disk.id(root)}`, name: displayName(root, disk) };
}

/** The folder's name, without what bare repositories add to it: `x.git` and `x/.bare` are both called `x`. */
function displayName(root: string, { path }: Disk): string {
  const name = path.basename(root);
  return name === '.bare' ? path.basename(path.dirname(root)) : name.replace(/(?<=.)\.git$/, '');
}
