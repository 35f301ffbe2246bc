import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerRecord } from '../../src/host/ownerFile.js';
import type { ProcessIdentity } from '../../src/host/processIdentity.js';

/** Path of the owner file that counts. */
export function ownerFile(storage: string): string {
  const numbers = readdirSync(storage).flatMap(
    (name) => /^owner\.(\d+)$/.exec(name)?.slice(1).map(Number) ?? [],
  );
  return join(storage, `owner.${Math.max(...numbers)}`);
}

export function ownerIn(storage: string): OwnerRecord {
  return JSON.parse(readFileSync(ownerFile(storage), 'utf8')) as OwnerRecord; // As its owner writes it.
}

/** Gives the owner file another owner, or features of one. */
export function changeOwner(storage: string, change: Partial<ProcessIdentity>): void {
  const record = ownerIn(storage);
  if (record.owner === null) throw new Error(`${storage} has no owner`);
  writeFileSync(ownerFile(storage), JSON.stringify({ ...record, owner: { ...record.owner, ...change } }));
}
