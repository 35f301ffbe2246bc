// A process that takes, keeps and leaves directories on command. Started by the ownership tests.
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MemoryError } from '../../src/core/errors.js';
import { ownerDisk, type OwnerDisk } from '../../src/host/ownerFile.js';
import { takeOwnership, type Ownership } from '../../src/host/ownership.js';
import { identifySelf } from '../../src/host/processIdentity.js';

export type Command =
  | { readonly do: 'take' | 'take and die in the middle'; readonly directory: string }
  /** Takes and leaves this many times, and looks each time whether somebody else is inside. */
  | { readonly do: 'churn'; readonly directory: string; readonly times: number }
  | { readonly do: 'release' };

export type Answer = { readonly owner: true } | { readonly owner: false; readonly message: string };

const self = await identifySelf();
let ownership: Ownership | undefined;

const dying: OwnerDisk = {
  ...ownerDisk,
  link: async (from, to) => {
    await ownerDisk.link(from, to);
    process.kill(process.pid, 'SIGKILL');
  },
};

async function take(directory: string, disk?: OwnerDisk): Promise<Answer> {
  try {
    ownership = await takeOwnership(directory, self, disk === undefined ? {} : { disk });
    return { owner: true };
  } catch (error) {
    if (error instanceof MemoryError && error.reason === 'owned')
      return { owner: false, message: error.message };
    throw error;
  }
}

async function churn(directory: string, times: number): Promise<void> {
  for (let done = 0; done < times;) {
    if (!(await take(directory)).owner) continue;
    const inside = join(directory, 'inside');
    await (await open(inside, 'wx')).close();
    await rm(inside);
    await ownership?.release();
    done++;
  }
}

async function obey(command: Command): Promise<Answer> {
  switch (command.do) {
    case 'take':
      return await take(command.directory);
    case 'take and die in the middle':
      return await take(command.directory, dying);
    case 'churn':
      await churn(command.directory, command.times);
      return { owner: false, message: 'done' };
    case 'release':
      await ownership?.release();
      return { owner: false, message: 'left' };
  }
}

process.on('message', (command: Command) => {
  void obey(command).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.({ owner: false, message: 'ready' } satisfies Answer);
