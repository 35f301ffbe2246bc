import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/** Every process of this machine; Linux only. See proc_pid_stat(5). */
export function processes(): Process[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const [, parent, group, session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), session: Number(session) }];
    } catch {
      // Ended since the folder was read.
      return [];
    }
  });
}

/** That process and all that were started below it and have not been adopted. */
export function treeOf(pid: number, all: readonly Process[] = processes()): number[] {
  const children = all.filter(({ parent }) => parent === pid);
  return [pid, ...children.flatMap((child) => treeOf(child.pid, all))];
}
