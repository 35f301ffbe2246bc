export type SqlValue = string | number | Uint8Array | null;

/** One SQL statement with its parameters. Neither clock nor random, so that doing it again gives the same. */
export interface Change {
  readonly sql: string;
  readonly params: readonly SqlValue[];
}

/** First record of a log: the snapshot it follows, and the schema of the statements in it. */
export interface BaseRecord {
  readonly kind: 'base';
  readonly sequence: number;
  /** Of the snapshot file, or {@link EMPTY} where the log starts from nothing. */
  readonly sha256: string;
  readonly schema: number;
}

/** A snapshot with this content holds every change up to here. */
export interface MarkRecord {
  readonly kind: 'mark';
  readonly sequence: number;
  readonly sha256: string;
}

/** The statements from here on are written for another schema. */
export interface SchemaRecord {
  readonly kind: 'schema';
  readonly sequence: number;
  readonly schema: number;
}

/** Statements that belong together. */
export interface ChangeRecord {
  readonly kind: 'change';
  readonly sequence: number;
  readonly changes: readonly Change[];
  /** Ids of rows removed for good: no older file that names them may outlive the next snapshot. */
  readonly purged: readonly string[];
}

export type LogRecord = BaseRecord | MarkRecord | SchemaRecord | ChangeRecord;

export const EMPTY = 'empty';

/** JSON text of a record; the sequence number travels in the header. */
export function encodePayload(record: LogRecord): string {
  switch (record.kind) {
    case 'base':
      return JSON.stringify({ base: { seq: record.sequence, sha256: record.sha256 }, schema: record.schema });
    case 'mark':
      return JSON.stringify({ snapshot: record.sequence, sha256: record.sha256 });
    case 'schema':
      return JSON.stringify({ schema: record.schema });
    case 'change': {
      const changes = record.changes.map(({ sql, params }) => [sql, params.map(encodeValue)]);
      return JSON.stringify(record.purged.length > 0 ? { changes, purged: record.purged } : { changes });
    }
  }
}

/** The record in a payload whose checksum was right, or null where it is none of ours. */
export function decodePayload(text: string, sequence: number): LogRecord | null {
  const payload = parse(text);
  if (payload === null) return null;
  const { base, schema, snapshot, sha256, changes, purged = [] } = payload;
  if (Array.isArray(changes)) {
    const decoded = changes.map(decodeChange);
    if (!decoded.every((change) => change !== null) || !isTexts(purged)) return null;
    return { kind: 'change', sequence, changes: decoded, purged };
  }
  if (snapshot === sequence && typeof sha256 === 'string') return { kind: 'mark', sequence, sha256 };
  if (typeof schema !== 'number') return null;
  if (base === undefined) return { kind: 'schema', sequence, schema };
  if (!isObject(base) || base.seq !== sequence || typeof base.sha256 !== 'string') return null;
  return { kind: 'base', sequence, sha256: base.sha256, schema };
}

function encodeValue(value: SqlValue): unknown {
  if (value instanceof Uint8Array) {
    return { base64: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') };
  }
  // JSON would turn it into null, and the replay would differ from what was stored.
  if (typeof value === 'number' && !Number.isFinite(value)) throw new RangeError(`${value} cannot be stored`);
  return value;
}

function decodeChange(value: unknown): Change | null {
  if (!Array.isArray(value)) return null;
  const [sql, params] = value as unknown[];
  if (typeof sql !== 'string' || !Array.isArray(params)) return null;
  return { sql, params: params.map(decodeValue) };
}

function decodeValue(value: unknown): SqlValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  if (isObject(value) && typeof value.base64 === 'string') return Buffer.from(value.base64, 'base64');
  return null;
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    // Not JSON: the caller treats it as damage.
    return null;
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
