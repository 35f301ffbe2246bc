// Builders for the ownership tests: store directories, and owners that exist only in the test.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { MemoryError, type ErrorReason } from '../../src/core/errors.js';
import { ownerDisk, type OwnerDisk } from '../../src/host/ownerFile.js';
import { takeOwnership, type Ownership } from '../../src/host/ownership.js';
import { identifySelf, type ProcessIdentity } from '../../src/host/processIdentity.js';

const root = mkdtempSync(join(tmpdir(), 'ownership-'));
after(() => rmSync(root, { recursive: true, force: true }));

export const self = await identifySelf();

export interface Store {
  readonly directory: string;
  /** Pids of the imagined processes that run. */
  readonly living: Set<number>;
  /** Starts an imagined process, which takes the directory. */
  take(pid: number, disk?: Partial<OwnerDisk>): Promise<Ownership>;
  /** Puts the owner file of another process there. */
  writeOwner(number: number, owner: Partial<ProcessIdentity>): void;
}

export function newStore(): Store {
  const directory = mkdtempSync(join(root, 'store-'));
  const living = new Set<number>();
  return {
    directory,
    living,
    take: async (pid, disk = {}) => {
      living.add(pid);
      return await takeOwnership(
        directory,
        { ...self, pid },
        {
          judge: (owner) => Promise.resolve(living.has(owner.pid) ? 'running' : 'dead'),
          disk: { ...ownerDisk, ...disk },
        },
      );
    },
    writeOwner: (number, owner) => {
      const record = { claim: `claim ${number}`, owner: { ...self, ...owner } };
      writeFileSync(join(directory, `owner.${number}`), JSON.stringify(record));
    },
  };
}

/** The message of the `MemoryError` it rejects with. */
export async function refusal(taking: Promise<unknown>, reason: ErrorReason): Promise<string> {
  const error: unknown = await taking.then(
    () => assert.fail('nothing was refused'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof MemoryError, String(error));
  assert.equal(error.reason, reason, error.message);
  return error.message;
}
