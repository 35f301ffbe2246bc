import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.js';

/** A repository with one linked worktree, file by file as git lays them out. */
export function repository(box: Sandbox): { readonly main: string; readonly worktree: string } {
  const main = box.folder('work', 'shop');
  const worktree = box.folder('elsewhere', 'shop-hotfix');
  const record = join(main, '.git', 'worktrees', 'shop-hotfix');
  mkdirSync(record, { recursive: true });
  writeFileSync(join(main, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(record, 'commondir'), '../..\n');
  writeFileSync(join(record, 'gitdir'), `${join(worktree, '.git')}\n`);
  writeFileSync(join(worktree, '.git'), `gitdir: ${record}\n`);
  return { main, worktree };
}
