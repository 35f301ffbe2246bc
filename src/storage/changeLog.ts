import { crc32 } from './checksum.js';
import { decodePayload, encodePayload } from './logPayload.js';
import type { LogRecord } from './logPayload.js';

/**
 * Format of the change log: records one after the other, each a header of 24 bytes and a payload of UTF-8 JSON.
 *
 * | offset | size | content (integers little-endian) |
 * |---|---|---|
 * | 0 | 4 | marker `SCL1` |
 * | 4 | 4 | payload length in bytes |
 * | 8 | 8 | sequence number of the newest change up to and with this record |
 * | 16 | 4 | CRC-32 of the payload |
 * | 20 | 4 | CRC-32 of the 20 bytes before |
 *
 * The header has a checksum of its own so that a flipped bit in a length is damage and never looks like a
 * record that was cut short.
 */
export const HEADER_BYTES = 24;
const MARKER = Buffer.from('SCL1', 'latin1');
const SECTOR_BYTES = 512;

/** What a log file holds up to its first flaw. */
export interface LogScan {
  /** Readable records in file order; the first is the base, or there is none. */
  readonly records: readonly LogRecord[];
  /** Bytes those records take. */
  readonly length: number;
  readonly fileLength: number;
  /** `torn`: the last append never finished, so it was never acknowledged. `damaged`: anything else. */
  readonly end: 'clean' | 'torn' | 'damaged';
}

export function encodeRecord(record: LogRecord): Buffer {
  const payload = Buffer.from(encodePayload(record), 'utf8');
  const bytes = Buffer.alloc(HEADER_BYTES + payload.length);
  MARKER.copy(bytes);
  bytes.writeUInt32LE(payload.length, 4);
  bytes.writeBigUInt64LE(BigInt(record.sequence), 8);
  bytes.writeUInt32LE(crc32(payload), 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(0, 20)), 20);
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** Reads records until the end or the first flaw. Never throws. */
export function scanLog(bytes: Buffer): LogScan {
  const zeroTail = startOfZeroTail(bytes);
  const records: LogRecord[] = [];
  let at = 0;
  let end: LogScan['end'] = 'clean';
  while (at < bytes.length) {
    const found = readRecord(bytes, at, zeroTail);
    if (found === 'torn' || found === 'damaged' || !follows(found.record, records.at(-1))) {
      // A log appears under its name with a complete base record, so a flaw in the first one is never a torn append.
      end = found === 'torn' && records.length > 0 ? 'torn' : 'damaged';
      break;
    }
    records.push(found.record);
    at = found.next;
  }
  if (records.length === 0) end = 'damaged';
  return { records, length: at, fileLength: bytes.length, end };
}

function readRecord(
  bytes: Buffer,
  at: number,
  zeroTail: number,
): { record: LogRecord; next: number } | 'torn' | 'damaged' {
  const payloadAt = at + HEADER_BYTES;
  if (zeroTail <= at || payloadAt > bytes.length) return 'torn';
  const header = bytes.subarray(at, payloadAt);
  if (header.readUInt32LE(20) !== crc32(header.subarray(0, 20))) return tornAt(payloadAt, zeroTail);
  if (!header.subarray(0, 4).equals(MARKER)) return 'damaged';

  const next = payloadAt + header.readUInt32LE(4);
  if (next > bytes.length) return 'torn';
  const payload = bytes.subarray(payloadAt, next);
  if (header.readUInt32LE(16) !== crc32(payload)) return tornAt(next, zeroTail);
  const record = decodePayload(payload.toString('utf8'), Number(header.readBigUInt64LE(8)));
  return record === null ? 'damaged' : { record, next };
}

/** A wrong checksum is a torn append only where the missing part was never written: zeros from a sector on. */
function tornAt(end: number, zeroTail: number): 'torn' | 'damaged' {
  const sector = Math.ceil(zeroTail / SECTOR_BYTES) * SECTOR_BYTES;
  return sector < end ? 'torn' : 'damaged';
}

/** Offset from which every byte up to the end is zero; the length where the last byte is not. */
function startOfZeroTail(bytes: Buffer): number {
  let at = bytes.length;
  while (at > 0 && bytes[at - 1] === 0) at -= 1;
  return at;
}

function follows(record: LogRecord, last: LogRecord | undefined): boolean {
  if (last === undefined) return record.kind === 'base';
  if (record.kind === 'base') return false;
  return record.sequence === last.sequence + (record.kind === 'change' ? 1 : 0);
}
