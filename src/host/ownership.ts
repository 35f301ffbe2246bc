import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { MemoryError } from '../core/errors.js';
import { isGone } from '../link/existence.js';
import { unusable } from './directory.js';
import {
  discard,
  DRAFT_NAME,
  ownerDisk,
  publish,
  readRecord,
  replace,
  type OwnerDisk,
  type OwnerRecord,
  type OwnerRole,
} from './ownerFile.js';
import { judge, type ProcessIdentity, type Verdict } from './processIdentity.js';

/** The right to open what is in a directory, held by one process at a time. */
export interface Ownership {
  /** Whether it still holds; false once released, and where the directory was deleted or replaced. */
  held(): Promise<boolean>;
  /** A quick look: whether the directory, or at least what says that it is ours, has certainly been deleted. */
  vanished(): boolean;
  /** Lets the next process in at once. Never rejects: an owner that has ended counts as gone anyway. */
  release(): Promise<void>;
}

export interface OwnershipOptions {
  readonly role?: OwnerRole;
  /** Says whether the process that owns still runs. */
  readonly judge?: (owner: ProcessIdentity) => Promise<Verdict>;
  readonly disk?: OwnerDisk;
}

/** Somebody has the directory, or may have it. */
export class OwnedError extends MemoryError {
  constructor(
    readonly owner: OwnerRole | 'elsewhere',
    message: string,
  ) {
    super('owned', message);
  }
}

const OWNER_NAME = /^owner\.([1-9]\d{0,14})$/;
const ATTEMPTS = 25;
const PAUSE_MS = 20;

/**
 * Makes this process the owner of `directory`, or rejects with a `MemoryError`: `owned` where another process is,
 * or may be, its owner; `storage` where the directory does not let us.
 *
 * The owner is whoever published the highest `owner.<n>`. Who finds n left or its process dead publishes n+1,
 * which only one can. Two rules keep this true however long a starter sleeps between looking and publishing:
 *
 * - The highest number is never deleted. It only grows, so a number that was taken and tidied away lies below the
 *   highest, and whoever publishes it again sees that and steps back. If an owner deleted its file when leaving,
 *   one late starter could publish n+1 while another, seeing nothing, publishes 1: two owners. So leaving replaces
 *   the record by one without an owner, and that small file stays.
 * - Lower numbers are deleted by the owner only, in ascending order. Seeing the predecessor n after publishing n+1
 *   therefore proves that n+1 was never taken before, even if the listing missed a higher number that appeared
 *   while it was read.
 *
 * A crash at any point leaves a dead owner or files that the next owner deletes.
 */
export async function takeOwnership(
  directory: string,
  self: ProcessIdentity,
  options: OwnershipOptions = {},
): Promise<Ownership> {
  const disk = options.disk ?? ownerDisk;
  const verdict = options.judge ?? ((owner: ProcessIdentity) => judge(owner, self));
  const { role = 'standalone' } = options;
  const id = randomUUID();
  try {
    const file = await becomeOwner({ directory, self, role, id, disk, verdict });
    return ownership(file, { claim: id, role }, disk);
  } catch (error) {
    throw error instanceof MemoryError ? error : unusable(directory, error);
  }
}

interface Claim {
  readonly directory: string;
  readonly self: ProcessIdentity;
  readonly role: OwnerRole;
  readonly id: string;
  readonly verdict: (owner: ProcessIdentity) => Promise<Verdict>;
  readonly disk: OwnerDisk;
}

/** Path of the owner file that is now ours. */
async function becomeOwner(claim: Claim): Promise<string> {
  const { directory, self, role, id, disk } = claim;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const highest = (await ownerNumbers(directory)).at(-1) ?? 0;
    const found = highest === 0 ? 'gone' : await readRecord(join(directory, `owner.${highest}`));
    // Half-written, or tidied away since the listing; both pass.
    if (found === 'garbled' || (found === 'gone' && highest > 0)) {
      if (found === 'garbled' && attempt === ATTEMPTS) throw garbled(directory, highest);
      await pause(PAUSE_MS);
      continue;
    }
    // A network file system can report a failure for a link that it did make.
    const ours = found !== 'gone' && found.claim === id;
    if (!ours && found !== 'gone' && found.owner !== null)
      await refuseUnlessDead(found.owner, found.role, highest, claim);

    const number = ours ? highest : highest + 1;
    const file = join(directory, `owner.${number}`);
    if (!ours && !(await publish(file, { claim: id, owner: self, role }, disk))) continue;
    if (await isFirstAndHighest(directory, number)) {
      await tidy(directory, number);
      return file;
    }
    await discard(file);
  }
  throw new OwnedError(
    'host',
    `${directory} could not be opened: other Subconscious processes keep taking it. Try again in a moment.`,
  );
}

/** Why a published number can be trusted: see {@link takeOwnership}. */
async function isFirstAndHighest(directory: string, number: number): Promise<boolean> {
  const numbers = await ownerNumbers(directory);
  return numbers.at(-1) === number && (number === 1 || numbers.includes(number - 1));
}

async function ownerNumbers(directory: string): Promise<number[]> {
  const numbers = (await readdir(directory)).flatMap(
    (name) => OWNER_NAME.exec(name)?.slice(1).map(Number) ?? [],
  );
  return numbers.sort((a, b) => a - b);
}

/** Deletes what earlier owners and starters left. A starter whose draft goes looks again and finds its owner. */
async function tidy(directory: string, number: number): Promise<void> {
  for (const lower of await ownerNumbers(directory)) {
    // A gap would let a late starter take a number again, so the first that stays ends this.
    if (lower >= number || !(await discard(join(directory, `owner.${lower}`)))) break;
  }
  for (const name of await readdir(directory)) {
    if (DRAFT_NAME.test(name)) await discard(join(directory, name));
  }
}

function ownership(
  file: string,
  { claim, role }: Pick<OwnerRecord, 'claim' | 'role'>,
  disk: OwnerDisk,
): Ownership {
  const held = async (): Promise<boolean> => {
    const record = await readRecord(file);
    return typeof record === 'object' && record.claim === claim && record.owner !== null;
  };
  const leave = async (): Promise<void> => {
    if (!(await held())) return;
    // A full or read-only disk: the file still names this process, and counts as left when that ends.
    await replace(file, { claim, owner: null, role }, disk).catch(() => undefined);
  };
  let left: Promise<void> | undefined;
  return { held, vanished: () => isGone(file), release: () => (left ??= leave()) };
}

async function refuseUnlessDead(
  owner: ProcessIdentity,
  role: OwnerRole,
  number: number,
  claim: Claim,
): Promise<void> {
  const { directory, self, verdict } = claim;
  switch (await verdict(owner)) {
    case 'dead':
      return;
    case 'running':
      throw new OwnedError(
        role,
        `${directory} is in use by ${ROLES[role]} (pid ${owner.pid}). ${ways(role, claim.role, owner.pid)} ` +
          'Or choose another folder with SUBCONSCIOUS_STORAGE_DIR. Only if this folder is a copy of one that is in use, ' +
          `delete ${join(directory, `owner.${number}`)} in the copy.`,
      );
    case 'elsewhere':
      throw new OwnedError(
        'elsewhere',
        `${directory} is in use by process ${owner.pid} on ${place(owner)}, and this is ${place(self)}. ` +
          'Whether that process still runs cannot be seen from here. End it there; if it is certainly gone, ' +
          `delete ${join(directory, `owner.${number}`)}. Or choose another folder with SUBCONSCIOUS_STORAGE_DIR. In containers ` +
          'that come and go use --standalone, which leaves the folder when its client does.',
      );
  }
}

const ROLES: Readonly<Record<OwnerRole, string>> = {
  host: 'the memory process that clients share',
  standalone: 'a standalone Subconscious process, which shares it with nobody',
};

function ways(role: OwnerRole, mine: OwnerRole, pid: number): string {
  return role === 'host' && mine === 'standalone'
    ? `Start without --standalone (and without SUBCONSCIOUS_STANDALONE) to share it, or end process ${pid} first.`
    : `End process ${pid} first.`;
}

function place({ host, machineId, pidNamespace }: ProcessIdentity): string {
  return `machine ${host} (${[machineId, pidNamespace].filter((part) => part !== null).join(', ')})`;
}

function garbled(directory: string, number: number): MemoryError {
  return new MemoryError(
    'storage',
    `${join(directory, `owner.${number}`)} cannot be read as an owner file, so it is unknown whether another process ` +
      'uses this folder. If no Subconscious process runs, delete that file and try again.',
  );
}
