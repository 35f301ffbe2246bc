import { EDITED, type Memory } from './memory.js';
import type { Parts } from './parts.js';

/**
 * Whether a row shares the fate of the entry that replaced it: the episode it was made of says the same, and so may
 * what it said before it was edited. Whoever forgets the one does not want to keep the others.
 */
export function isCompanion({ kind, source, supersededBy }: Memory, id: string): boolean {
  return supersededBy === id && (kind === 'episode' || source === EDITED);
}

/** Rows that go into the trash with a live entry. */
export async function companionsOf({ store }: Parts, { id }: Memory): Promise<Memory[]> {
  return (await store.replacedBy(id)).filter((row) => isCompanion(row, id));
}

/** What an entry in the trash was before it was edited, as far as it went there in the same step. */
export async function trashedVersions(
  { store, sources }: Parts,
  { id, deletedAt }: Memory,
): Promise<Memory[]> {
  const found: Memory[] = [];
  if (deletedAt === null) return found;
  for (let last = LAST_ID; ;) {
    const page = await store.trashed({ limit: PAGE, after: { deletedAt, id: last } });
    const sameStep = page.filter((row) => row.deletedAt === deletedAt);
    for (const row of sameStep) {
      const version = row.supersededBy === id ? await store.get(row.id) : null;
      if (version?.source === EDITED) found.push(version);
    }
    const end = sameStep.at(-1);
    if (sameStep.length < PAGE || !end) return found;
    last = end.id;
    await sources.turn();
  }
}

const PAGE = 100;
/** Behind every id there is. */
const LAST_ID = '\u{10FFFF}';
