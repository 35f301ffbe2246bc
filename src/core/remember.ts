import { exactDuplicate, nearestEntry, type NearDuplicate } from './duplicates.js';
import { ledgerRow, resultOf } from './ledger.js';
import { maskSecrets } from './maskSecrets.js';
import { GLOBAL_PROJECT, isExpired, MAX_TAGS, type Memory } from './memory.js';
import { embedOrNull, type Hurry, type Parts, type Settings } from './parts.js';
import type { Call, Results, WriteOptions } from './ports.js';
import { replacedEntry } from './supersede.js';
import { tagsToStore } from './tags.js';

export interface RememberRequest {
  readonly task: string;
  readonly answer: string;
  readonly project: string;
  readonly settings: Settings;
  readonly scope: 'project' | 'global';
  readonly tags: readonly string[];
  readonly ttlSeconds: number | null;
  readonly skipIfDuplicate: boolean;
  readonly supersedes?: string | undefined;
  readonly idempotencyKey?: string | undefined;
  readonly source: string;
  /** Called right before the write, in the same step. Where it rejects nothing is stored. */
  readonly check?: () => Promise<void>;
  readonly hurry?: Hurry | undefined;
  readonly call?: Call | undefined;
}

export interface RememberResult {
  readonly stored: boolean;
  readonly entry_id?: string;
  readonly embedding_dim?: number | null;
  /** The very same task and answer were stored already: that entry's time, tags and lifetime were renewed. */
  readonly refreshed?: boolean;
  readonly superseded?: string;
  readonly warning?: 'near_duplicate' | 'already_expired';
  readonly nearest_task?: string;
  readonly nearest_similarity?: number;
  readonly nearest_entry_id?: string;
  readonly degraded?: 'no_model';
  readonly note?: string;
  /** What was masked, in sentences. */
  readonly warnings?: readonly string[];
}

/** Stores one answer. What is acknowledged is on disk. */
export async function remember(parts: Parts, request: RememberRequest): Promise<RememberResult> {
  const key = receiptKey(parts, request);
  const earlier = await replay(parts, request, key);
  if (earlier) return earlier;
  const tags = tagsToStore(request.tags, 'Nothing was stored');
  const { masked, warnings } = maskSecrets(parts.redact, { ...request, tags });
  const vector = await embedOrNull(parts, masked.task, request.hurry);
  return parts.exclusive(async () => {
    const done = await replay(parts, request, key);
    if (done) return done;
    await request.check?.();
    return write(parts, masked, warnings, vector, key);
  });
}

/** A digest: what a caller takes for a key may hold a secret. */
function receiptKey({ sources }: Parts, { project, idempotencyKey }: RememberRequest): string | null {
  if (idempotencyKey === undefined) return null;
  // As JSON: joined by a sign, the key of one project could be spelt as that of another.
  return `idempotency:${sources.digest(JSON.stringify([project, idempotencyKey]))}`;
}

async function replay(
  parts: Parts,
  { call }: RememberRequest,
  key: string | null,
): Promise<RememberResult | null> {
  const done = await resultOf<RememberResult>(parts, call);
  if (done) return done;
  if (key === null) return null;
  const receipt = await parts.store.receipt(key);
  return receipt ? (JSON.parse(receipt.result) as RememberResult) : null;
}

async function write(
  parts: Parts,
  request: RememberRequest,
  warnings: readonly string[],
  vector: Float32Array | null,
  key: string | null,
): Promise<RememberResult> {
  const old =
    request.supersedes === undefined ? null : await replacedEntry(parts, request, request.supersedes);
  const project = request.scope === 'global' ? GLOBAL_PROJECT : request.project;
  const twin = await exactDuplicate(parts, request, project);
  const neighbour = twin ? null : await nearestEntry(parts, request, vector);
  const near = neighbour?.kind === 'near_duplicate' ? neighbour.found : null;
  const warning = near ? ({ warning: 'near_duplicate', ...near } as const) : {};
  const masks = warnings.length > 0 ? { warnings } : {};
  // Stamped after the embedding, so that a lifetime starts when the entry does.
  const now = parts.sources.now();
  const resultsOf = (result: RememberResult): Results => ({
    receipt: key === null ? undefined : { key, result: JSON.stringify(result), at: now },
    ledger: ledgerRow(request.call, result, now),
  });
  if (near && request.skipIfDuplicate) {
    const skipped: RememberResult = { stored: false, ...warning, ...masks };
    // Nothing was changed, so doing it again does no harm; only who gave a key was promised the same result.
    const { receipt } = resultsOf(skipped);
    if (receipt) await parts.store.keep({ receipt });
    return skipped;
  }
  const ttl = request.ttlSeconds ?? request.settings.defaultTtlSeconds;
  const expiresAt = ttl === null ? null : now + ttl;
  const supersedes = old && old.id !== twin?.id ? old.id : undefined;
  const memory: Memory = twin
    ? renewed(twin, request, { storedAt: now, expiresAt })
    : fresh(request, project, parts.sources.newId(), { storedAt: now, expiresAt });
  const expired = isExpired(memory, now);
  const result: RememberResult = {
    stored: true,
    entry_id: memory.id,
    embedding_dim: vector ? vector.length : null,
    ...(twin ? { refreshed: true } : {}),
    ...(supersedes ? { superseded: supersedes } : {}),
    ...(expired ? { warning: 'already_expired' as const } : {}),
    ...warning,
    ...(vector ? {} : { degraded: 'no_model' as const }),
    ...note({
      expired,
      twin: twin !== null,
      outlived: expiresAt !== null && memory.expiresAt !== expiresAt,
      vector: vector !== null,
      same: neighbour?.kind === 'same_task' ? neighbour.found : null,
    }),
    ...masks,
  };
  await store(parts, memory, twin, vector, { supersedes, ...resultsOf(result) });
  return result;
}

/** The later end of life counts: storing something again must not shorten its life. */
function renewed(
  twin: Memory,
  request: RememberRequest,
  { storedAt, expiresAt }: Pick<Memory, 'storedAt' | 'expiresAt'>,
): Memory {
  const forGood = twin.expiresAt === null || expiresAt === null;
  return {
    ...twin,
    storedAt,
    expiresAt: forGood ? null : Math.max(twin.expiresAt, expiresAt),
    tags: [...new Set([...twin.tags, ...request.tags])].slice(-MAX_TAGS),
  };
}

function fresh(
  request: RememberRequest,
  project: string,
  id: string,
  times: Pick<Memory, 'storedAt' | 'expiresAt'>,
): Memory {
  const { task, answer, tags, source } = request;
  return {
    id,
    kind: 'memory',
    project,
    task,
    answer,
    tags,
    source,
    ...times,
    supersededBy: null,
    deletedAt: null,
  };
}

async function store(
  parts: Parts,
  memory: Memory,
  twin: Memory | null,
  vector: Float32Array | null,
  options: WriteOptions,
): Promise<void> {
  const { index, embedder } = parts;
  if (twin) {
    await parts.store.update(memory, options);
    index.refresh(memory);
  } else {
    const stored = vector && { model: embedder.model, values: vector };
    await parts.store.insert({ memory, vector: stored }, options);
    index.add(memory, vector);
  }
  const old = options.supersedes === undefined ? null : await parts.store.get(options.supersedes);
  if (old) index.refresh(old);
  parts.changes.tell(old ? [memory, old] : [memory]);
}

/** What the caller should know beside the result, in sentences. */
function note(about: {
  expired: boolean;
  twin: boolean;
  outlived: boolean;
  vector: boolean;
  same: NearDuplicate | null;
}): { note?: string } {
  const sentences = [
    about.twin
      ? 'The same task and answer were stored already; that entry was renewed instead of doubled.'
      : '',
    about.outlived ? 'It keeps its longer lifetime; to end it, forget it.' : '',
    about.same
      ? `Entry ${about.same.nearest_entry_id} is almost the same task and stays: if this corrects it, forget it, or store this again with supersedes.`
      : '',
    about.expired
      ? 'The lifetime is not positive: the entry is stored as expired and will not be recalled.'
      : '',
    about.vector
      ? ''
      : 'The embedding model was not available in time: until it is, only the identical text recalls this.',
  ].filter((sentence) => sentence !== '');
  return sentences.length > 0 ? { note: sentences.join(' ') } : {};
}
