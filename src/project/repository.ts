import type { Disk } from './disk.js';

/**
 * The folder that stands for the repository around `start`: the root of its main worktree, for a bare main
 * repository the common directory, and `start` itself outside of any repository.
 */
export function repositoryRoot(start: string, disk: Disk): string {
  const folder = checkoutRoot(start, disk);
  if (folder === null) return start;
  const isLinked = disk.files.kind(disk.path.join(folder, '.git')) === 'file';
  return (isLinked ? mainWorktree(folder, disk) : null) ?? folder;
}

/** The nearest folder with a `.git`, from `start` upwards; null where there is none. */
export function checkoutRoot(start: string, disk: Disk): string | null {
  for (let folder = start; !disk.excluded(folder); folder = disk.path.dirname(folder)) {
    if (disk.files.kind(disk.path.join(folder, '.git')) !== null) return folder;
  }
  return null;
}

/**
 * The main worktree of the linked worktree in `folder`, or null where it is none, as in a submodule.
 *
 * What is in `folder` may come from a stranger, and must not name another project. So `.git` is believed only
 * where the repository it names knows this worktree: git's record of it lies, links resolved, in that repository's
 * own `worktrees` folder and points back here. Only someone who may write to that repository can arrange this.
 * See "gitrepository-layout" in git's documentation for the files.
 */
function mainWorktree(folder: string, { path, files, same, excluded }: Disk): string | null {
  const dotGit = files.text(path.join(folder, '.git'));
  if (!dotGit?.startsWith('gitdir: ')) return null;

  const record = files.realpath(path.resolve(folder, line(dotGit.slice('gitdir: '.length))));
  if (record === null) return null;
  const common = pathIn(record, 'commondir');
  const back = pathIn(record, 'gitdir');
  if (common === null || back === null) return null;

  const commonReal = files.realpath(common);
  if (commonReal === null || !same(path.dirname(record), path.join(commonReal, 'worktrees'))) return null;

  // The folder is compared, not the file: `.git` here must be the very file that was recorded, not a link to it.
  const backFolder = files.realpath(path.dirname(back));
  if (
    backFolder === null ||
    path.basename(back) !== '.git' ||
    !same(backFolder, files.realpath(folder) ?? folder)
  ) {
    return null;
  }

  const root = path.basename(commonReal) === '.git' ? path.dirname(commonReal) : commonReal;
  // Home may be a repository, but its memories would be everybody's: a worktree of it stands for itself.
  return excluded(root) ? null : root;

  function pathIn(base: string, name: string): string | null {
    const text = files.text(path.join(base, name));
    return text === null || line(text) === '' ? null : path.resolve(base, line(text));
  }
}

function line(text: string): string {
  return text.replace(/[\r\n]+$/, '');
}
