import { sha256 } from './installRecord.js';
import { isTextOrNull, RecordBook } from './recordBook.js';
import { isObject } from './serverEntry.js';
import { undone, type Undo } from './undo.js';

/** What has to be known to leave a client's configuration as it was before our entry came into it. */
export interface ConnectionRecord {
  /** SHA-256 of the file with our entry, in hex; empty where another program wrote it. */
  readonly written: string;
  /** What makes the file before of it; null where there was none. */
  readonly undo: Undo | null;
  /** The outermost folder that was made for the file, or null. */
  readonly madeFolder: string | null;
  /** Whether there was no place for servers in it. */
  readonly madeServers: boolean;
}

/** Stands for files nobody knows: those a configuration was copied into. */
export const COPIES = '(copied configuration)';

export const CONNECTIONS = new RecordBook<ConnectionRecord>('connections.json', {
  parse: ({ written, undo, madeFolder, madeServers }) => {
    const parsed = undo === null ? null : parseUndo(undo);
    return typeof written === 'string' && parsed !== undefined && isTextOrNull(madeFolder)
      ? { written, undo: parsed, madeFolder, madeServers: madeServers === true }
      : null;
  },
  print: ({ undo, ...rest }) => ({ ...rest, undo: undo && { ...undo, text: undo.text.toString('base64') } }),
});

/** Whether nobody has changed the file since our entry came into it. */
export function isUnchanged(seen: Buffer, record: ConnectionRecord): boolean {
  return sha256(seen) === record.written;
}

/** The file before our entry, of one that is unchanged since; null where there was none. */
export function originalOf(seen: Buffer, { undo }: ConnectionRecord): Buffer | null {
  return undo === null ? null : undone(seen, undo);
}

function parseUndo(value: unknown): Undo | undefined {
  if (!isObject(value)) return undefined;
  const { at, length, text } = value;
  return typeof at === 'number' && typeof length === 'number' && typeof text === 'string'
    ? { at, length, text: Buffer.from(text, 'base64') }
    : undefined;
}
