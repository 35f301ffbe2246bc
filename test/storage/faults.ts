import * as nodeFs from 'node:fs';
import type { FileCalls } from '../../src/storage/files.js';

type Call = keyof FileCalls;

/** `proceed` makes the real call; leave it out and the call never happens. */
export type Fault = (call: Call, args: unknown[], proceed: () => unknown) => unknown;

/** `node:fs` with `fault` in front of every call. */
export function faulty(fault: Fault): FileCalls {
  return new Proxy<FileCalls>(nodeFs, {
    get(target, name) {
      const call = name as Call;
      // The arguments pass through unseen, so their types cannot be told from here.
      const real = target[call] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => fault(call, args, () => real(...args));
    },
  });
}

export function systemError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code });
}

/** Nothing here outlives the machine, so tests that only kill the process need not wait for the disk. */
export const withoutSync = faulty((call, _args, proceed) => (isSync(call) ? undefined : proceed()));

export function isSync(call: Call): boolean {
  return call === 'fsyncSync' || call === 'fdatasyncSync';
}

const CHANGING: readonly Call[] = [
  'openSync',
  'writeSync',
  'fsyncSync',
  'fdatasyncSync',
  'ftruncateSync',
  'renameSync',
  'linkSync',
  'copyFileSync',
  'unlinkSync',
];

/** A process that dies in the middle of its `step`-th changing call: a write gets half of its bytes out. */
export function dyingAt(step: number): { fs: FileCalls; died: () => boolean } {
  let done = 0;
  let dead = false;
  const fs = faulty((call, args, proceed) => {
    if (!dead && CHANGING.includes(call)) {
      dead = done === step;
      done += 1;
      if (dead && call === 'writeSync') {
        const [fd, bytes, offset, length, position] = args as [number, Uint8Array, number, number, number];
        nodeFs.writeSync(fd, bytes, offset, Math.floor(length / 2), position);
      }
    }
    if (dead && call === 'closeSync') return proceed();
    if (dead) throw systemError('EKILLED');
    return isSync(call) ? undefined : proceed();
  });
  return { fs, died: () => dead };
}
