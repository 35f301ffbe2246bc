import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostRecord } from '../../src/link/hostFile.js';
import { processesOf, type Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';

/** Ids of the hosts that were started in the sandbox and live; Linux only. */
export function hostsOf(box: Sandbox): number[] {
  return processesOf(box.root).filter((pid) => /^[^\0]+\0[^\0]+\/host\.js\0/.test(commandOf(pid)));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return ''; // Gone meanwhile.
  }
}

/** What `host.json` says; throws where there is none. */
export function recordIn(storage: string): HostRecord {
  return JSON.parse(readFileSync(join(storage, 'host.json'), 'utf8')) as HostRecord; // As the host writes it.
}

/** Id of the one host that is left when every other one has given way. */
export async function onlyHost(box: Sandbox): Promise<number> {
  await until('one host is left', () => hostsOf(box).length === 1);
  const [pid = -1] = hostsOf(box);
  return pid;
}

/** Ends a host at once, as a crash does. Resolves when it is gone. */
export async function killHost(box: Sandbox, pid = recordIn(box.storage).pid): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until(`host ${pid} is gone`, () => !hostsOf(box).includes(pid));
}
