import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import { linesBackwards } from '../../src/capture/transcriptFile.js';
import { turnIn } from '../../src/capture/turn.js';
import { Transcript } from './transcriptBuilder.js';

const folder = mkdtempSync(join(tmpdir(), 'transcript '));
after(() => rmSync(folder, { recursive: true, force: true }));

test('lines that say nothing change nothing, wherever they stand and however the file is read', () => {
  const full = () =>
    new Transcript()
      .prompt('First question')
      .answer('First answer')
      .ending()
      .prompt('Second question')
      .message([{ type: 'tool_use' }])
      .toolResult()
      .answer('Second answer');
  const line = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary', maxLength: 50 }),
    fc
      .constantFrom(...full().lines)
      .chain((whole) => fc.integer({ min: 1, max: whole.length - 1 }).map((end) => whole.slice(0, end))),
    fc.constantFrom('', '{}', '[]', 'null', '{"parentUuid":null}', '{"uuid":"x","message":{}}'),
    fc.constant('{"type":"user","message":{"content":"of another writer"}}'),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), line), { maxLength: 12 }), (junk) => {
      const transcript = full();
      for (const [at, text] of junk) transcript.lines.splice(at, 0, text);
      const file = join(folder, 'session.jsonl');
      writeFileSync(file, transcript.text);
      for (const block of [1, 7, 64, 65_536]) {
        const found = turnIn(linesBackwards(file, block), {});
        assert.deepEqual([found?.task, found?.outcome], ['Second question', 'Second answer']);
      }
    }),
  );
});

test('fields of any kind in the place of those known give no error', () => {
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('user', 'assistant', 'attachment', 'text', 'u1', null),
  );
  const blocks = fc.array(fc.record({ type: fc.constantFrom('text', 'tool_result', 7), text: value }));
  const line = fc.record(
    {
      type: fc.constantFrom('user', 'assistant', 'attachment', 'system', 1),
      uuid: fc.constantFrom('u1', 'u2', 'u3', null),
      parentUuid: fc.constantFrom('u1', 'u2', 'u3', null),
      logicalParentUuid: fc.constantFrom('u1', 'u2', null),
      promptId: value,
      isSidechain: fc.constantFrom(false, true, 'yes'),
      message: fc.oneof(
        fc.record({ content: fc.oneof(value, blocks), id: value, stop_reason: value }),
        value,
      ),
      attachment: fc.oneof(fc.record({ type: fc.constant('queued_command'), prompt: value }), value),
    },
    { requiredKeys: [] },
  );
  const end = fc.record({ promptId: fc.constantFrom('', 'u1'), lastMessage: fc.constantFrom('', 'done') });
  fc.assert(
    fc.property(fc.array(line, { maxLength: 10 }), end, (lines, stop) => {
      const found = turnIn(
        lines.map((fields) => Buffer.from(JSON.stringify(fields))),
        stop,
      );
      if (found !== null) assert.ok(found.task.trim() !== '' && found.outcome.trim() !== '');
    }),
  );
});
