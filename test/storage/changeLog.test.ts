import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeRecord, HEADER_BYTES, scanLog } from '../../src/storage/changeLog.js';
import { crc32 } from '../../src/storage/checksum.js';
import type { LogRecord } from '../../src/storage/logPayload.js';

const BASE: LogRecord = { kind: 'base', sequence: 7, sha256: 'ab'.repeat(32), schema: 1 };
const MARK: LogRecord = { kind: 'mark', sequence: 8, sha256: 'cd'.repeat(32) };
const LAST = change(9, 'x'.repeat(700));

function change(sequence: number, text = 'text'): LogRecord {
  return { kind: 'change', sequence, purged: [], changes: [{ sql: 'INSERT', params: [text, 1.5, null] }] };
}

function log(...records: LogRecord[]): Buffer {
  return Buffer.concat(records.map(encodeRecord));
}

const WHOLE = log(BASE, change(8), MARK, LAST);
const BEFORE_LAST = log(BASE, change(8), MARK).length;

describe('change log', () => {
  it('has the checksum of zip files', () => {
    assert.equal(crc32(Buffer.from('123456789')), 0xcbf43926);
    assert.equal(crc32(Buffer.alloc(0)), 0);
  });

  it('reads back what was written', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i);
    const records: LogRecord[] = [
      BASE,
      {
        kind: 'change',
        sequence: 8,
        purged: ['a', '"b"'],
        changes: [
          { sql: 'A', params: ['a\0\u2028😀', '', -1e-300, 2 ** 53, null, bytes, new Uint8Array()] },
          { sql: 'B', params: [] },
        ],
      },
      { kind: 'schema', sequence: 8, schema: 2 },
      MARK,
    ];
    const scan = scanLog(log(...records));
    assert.equal(scan.end, 'clean');
    assert.deepEqual(JSON.stringify(scan.records), JSON.stringify(records.map(asBuffers)));
  });

  it('refuses numbers that JSON cannot hold', () => {
    const record: LogRecord = {
      kind: 'change',
      sequence: 1,
      purged: [],
      changes: [{ sql: '', params: [NaN] }],
    };
    assert.throws(() => encodeRecord(record), RangeError);
  });

  it('drops the last record wherever it was cut', () => {
    for (let length = BEFORE_LAST + 1; length < WHOLE.length; length += 1) {
      const scan = scanLog(WHOLE.subarray(0, length));
      assert.equal(scan.end, 'torn', `cut to ${length}`);
      assert.equal(scan.length, BEFORE_LAST);
      assert.equal(scan.records.length, 3);
    }
  });

  it('drops zeros after the last record', () => {
    for (const zeros of [1, HEADER_BYTES - 1, HEADER_BYTES, 5000]) {
      const scan = scanLog(Buffer.concat([WHOLE, Buffer.alloc(zeros)]));
      assert.equal(scan.end, 'torn');
      assert.equal(scan.length, WHOLE.length);
    }
  });

  it('drops a record whose sectors never got to the disk', () => {
    for (let sector = Math.ceil((BEFORE_LAST + 1) / 512) * 512; sector < WHOLE.length; sector += 512) {
      const bytes = Buffer.from(WHOLE);
      bytes.fill(0, sector);
      const scan = scanLog(bytes);
      assert.equal(scan.end, 'torn', `zeros from ${sector}`);
      assert.equal(scan.length, BEFORE_LAST);
    }
  });

  it('takes zeros that do not start at a sector for damage', () => {
    const bytes = Buffer.from(WHOLE);
    bytes.fill(0, WHOLE.length - 3);
    assert.equal(scanLog(bytes).end, WHOLE.length % 512 <= 3 ? 'torn' : 'damaged');
    assert.ok(WHOLE.length % 512 > 3, 'the case is not hidden by the length of the log');
  });

  it('finds every flipped bit, also in a length and in the last record', () => {
    for (let at = 0; at < WHOLE.length; at += 1) {
      const bytes = Buffer.from(WHOLE);
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << (at % 8)), at);
      const scan = scanLog(bytes);
      assert.equal(scan.end, 'damaged', `flip at ${at}`);
      assert.ok(scan.length <= at);
      assert.deepEqual(scan.records, scanLog(WHOLE.subarray(0, scan.length)).records);
    }
  });

  it('takes a gap, a repeated number, a second base or a missing base for damage', () => {
    assert.equal(scanLog(log(BASE, change(9))).end, 'damaged');
    assert.equal(scanLog(log(BASE, change(8), change(8))).end, 'damaged');
    assert.equal(scanLog(log(BASE, { ...MARK, sequence: 9 })).end, 'damaged');
    assert.equal(scanLog(log(BASE, BASE)).end, 'damaged');
    assert.equal(scanLog(log(change(8))).end, 'damaged');
    assert.equal(scanLog(Buffer.alloc(0)).end, 'damaged');
    assert.equal(scanLog(WHOLE.subarray(0, 10)).end, 'damaged');
  });

  it('takes an unknown marker or payload for damage', () => {
    const marker = encodeRecord(change(8));
    marker.write('SCL9', 0, 'latin1');
    marker.writeUInt32LE(crc32(marker.subarray(0, 20)), 20);
    assert.equal(scanLog(Buffer.concat([log(BASE), marker])).end, 'damaged');

    const payload = Buffer.from('[]');
    const header = Buffer.from(marker.subarray(0, HEADER_BYTES));
    header.write('SCL1', 0, 'latin1');
    header.writeUInt32LE(payload.length, 4);
    header.writeUInt32LE(crc32(payload), 16);
    header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
    assert.equal(scanLog(Buffer.concat([log(BASE), header, payload])).end, 'damaged');
  });
});

/** Blobs come back as buffers. */
function asBuffers(record: LogRecord): LogRecord {
  if (record.kind !== 'change') return record;
  const changes = record.changes.map(({ sql, params }) => ({
    sql,
    params: params.map((value) => (value instanceof Uint8Array ? Buffer.from(value) : value)),
  }));
  // Same order of keys as the reader gives.
  return { kind: 'change', sequence: record.sequence, changes, purged: record.purged };
}
