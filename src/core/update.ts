import { revisionOf } from './details.js';
import { MemoryError } from './errors.js';
import { ledgerRow, resultOf } from './ledger.js';
import { maskSecrets } from './maskSecrets.js';
import { EDITED, GLOBAL_PROJECT, isExpired, type Memory } from './memory.js';
import { isSeenFrom, visibleTo } from './memoryIndex.js';
import { embedOrNull, type Hurry, type Parts } from './parts.js';
import type { Call } from './ports.js';
import { liveSuccessor } from './supersede.js';
import { tagsToStore } from './tags.js';

export interface UpdateRequest {
  readonly id: string;
  /** The asker's. */
  readonly project: string;
  /** Also an entry of another project. */
  readonly anyProject: boolean;
  /** What is left out of these stays as it is. */
  readonly task?: string | undefined;
  readonly answer?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Epoch seconds; null: never. */
  readonly expiresAt?: number | null | undefined;
  /** `project`: of a global entry makes one of the asker's project. */
  readonly scope?: 'project' | 'global' | undefined;
  /** What the edit is based on; where it is another one by now nothing is changed. */
  readonly revision?: string | undefined;
  /** False: the text before is not kept as a version. Default: true. */
  readonly keepVersion?: boolean | undefined;
  readonly hurry?: Hurry | undefined;
  readonly call?: Call | undefined;
}

export interface UpdateResult {
  readonly entry_id: string;
  readonly changed: boolean;
  /** Somebody else changed it meanwhile. */
  readonly conflict?: true;
  /** As it is now. */
  readonly revision: string;
  /** Id of the version before, which is history now; absent where none was kept. */
  readonly previous?: string;
  /** What was masked, in sentences. */
  readonly warnings?: readonly string[];
}

type Edit = Partial<Pick<Memory, 'task' | 'answer' | 'tags' | 'expiresAt'>>;

/**
 * Changes an entry in place. Where its text changes, the version before is kept as its history, unless the request
 * says otherwise. Rejects with a `MemoryError` where there is no such memory, or it is not the current version.
 */
export async function updateEntry(parts: Parts, request: UpdateRequest): Promise<UpdateResult> {
  const { call, hurry } = request;
  const done = await resultOf<UpdateResult>(parts, call);
  if (done) return done;
  const before = await requireEditable(parts, request);
  if (isStale(parts, before, request)) return conflict(parts, before);
  const { edit, warnings } = masked(parts, request, before);
  const isOtherTask = edit.task !== undefined && edit.task !== before.task;
  const vector = isOtherTask ? await embedOrNull(parts, edit.task, hurry) : null;
  return parts.exclusive(async () => {
    const again = await resultOf<UpdateResult>(parts, call);
    if (again) return again;
    const memory = await requireEditable(parts, request);
    if (isStale(parts, memory, request)) return conflict(parts, memory);
    return write(parts, request, memory, edit, warnings, vector);
  });
}

function isStale(parts: Parts, memory: Memory, { revision }: UpdateRequest): boolean {
  return revision !== undefined && revision !== revisionOf(parts, memory);
}

function conflict(parts: Parts, memory: Memory): UpdateResult {
  return { entry_id: memory.id, changed: false, conflict: true, revision: revisionOf(parts, memory) };
}

/** What is given, with every secret masked; older texts and tags stay as they are. */
function masked({ redact }: Parts, { task, answer, tags, expiresAt }: UpdateRequest, before: Memory) {
  const stored = tagsToStore(tags ?? [], 'Nothing was changed', before.tags);
  const texts = { task: task ?? '', answer: answer ?? '', tags: stored };
  const { masked: clean, warnings } = maskSecrets(redact, texts);
  const edit: Edit = {
    ...(task === undefined ? {} : { task: clean.task }),
    ...(answer === undefined ? {} : { answer: clean.answer }),
    ...(tags === undefined ? {} : { tags: clean.tags }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { edit, warnings };
}

async function write(
  parts: Parts,
  request: UpdateRequest,
  memory: Memory,
  edit: Edit,
  warnings: readonly string[],
  vector: Float32Array | null,
): Promise<UpdateResult> {
  const { sources, store } = parts;
  const masks = warnings.length > 0 ? { warnings } : {};
  const wanted = { ...memory, ...edit, project: projectAfter(memory, request) };
  const revision = revisionOf(parts, wanted);
  if (revision === revisionOf(parts, memory))
    return { entry_id: memory.id, changed: false, revision, ...masks };
  const now = sources.now();
  const isOtherText = wanted.task !== memory.task || wanted.answer !== memory.answer;
  // Never older than its own history, also where the clock was set back.
  const edited = isOtherText ? { ...wanted, storedAt: Math.max(now, memory.storedAt) } : wanted;
  const version: Memory | undefined =
    isOtherText && request.keepVersion !== false
      ? { ...memory, id: sources.newId(), source: EDITED, supersededBy: memory.id }
      : undefined;
  const result: UpdateResult = {
    entry_id: memory.id,
    changed: true,
    revision,
    ...(version ? { previous: version.id } : {}),
    ...masks,
  };
  await store.update(edited, { version, ledger: ledgerRow(request.call, result, now) });
  takeOver(parts, memory, edited, version, now);
  if (vector && edited.task !== memory.task) await addVector(parts, edited.id, vector);
  return result;
}

function projectAfter(memory: Memory, { scope, project }: UpdateRequest): string {
  if (scope === 'global') return GLOBAL_PROJECT;
  return scope === 'project' && memory.project === GLOBAL_PROJECT ? project : memory.project;
}

function takeOver(
  { index, changes }: Parts,
  memory: Memory,
  edited: Memory,
  version: Memory | undefined,
  now: number,
): void {
  if (version) index.add(version, index.vectorOf(memory.id));
  index.replace(memory, edited);
  const moved = edited.project !== memory.project;
  const forgotten = (moved && memory.project === GLOBAL_PROJECT) || isExpired(edited, now);
  changes.tell([edited, ...(version ? [version] : []), ...(moved ? [memory] : [])], { forgotten });
}

/** Derived data: where it cannot be kept, it is made again. */
async function addVector({ index, store, embedder }: Parts, id: string, values: Float32Array): Promise<void> {
  index.setVector(id, values);
  await store.setVectors([{ id, vector: { model: embedder.model, values } }]).catch(() => undefined);
}

/** The entry as it is now. Rejects, saying what to do, where it cannot be edited from here. */
async function requireEditable(parts: Parts, { id, project, anyProject }: UpdateRequest): Promise<Memory> {
  const memory = await parts.store.get(id);
  if (!memory) {
    throw new MemoryError(
      'not_found',
      `No entry ${id}. Nothing was changed; take an entry_id from list or search.`,
    );
  }
  if (!anyProject && !isSeenFrom(visibleTo(project), memory)) {
    throw new MemoryError(
      'not_found',
      `No entry ${id} in this project. Nothing was changed; pass any_project to edit one of another project.`,
    );
  }
  if (memory.kind === 'episode') {
    throw new MemoryError(
      'invalid',
      `Entry ${id} is an episode, and what was captured is not edited. Nothing was changed; keep it as a memory first.`,
    );
  }
  if (memory.deletedAt !== null) {
    throw new MemoryError(
      'invalid',
      `Entry ${id} was forgotten and lies in the trash. Nothing was changed; restore it first.`,
    );
  }
  if (memory.supersededBy !== null) throw await superseded(parts, memory, memory.supersededBy);
  return memory;
}

async function superseded(parts: Parts, memory: Memory, by: string): Promise<MemoryError> {
  const current = await liveSuccessor(parts, memory);
  const advice = current
    ? `edit ${current.id} instead`
    : `${by} was forgotten, so store this anew or restore that one`;
  const message = `Entry ${memory.id} was replaced by ${current?.id ?? by}. Nothing was changed; ${advice}.`;
  return new MemoryError('invalid', message);
}
