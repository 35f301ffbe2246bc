import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noteFailure } from '../../src/capture/hookLog.js';
import { captureNotes } from '../../src/host/captureNotes.js';
import { CaptureRig } from './captureRig.js';

const AT = '2026-11-30T12:00:00.000Z';
const DAY = 24 * 3600;
const NOW = Date.parse(AT) / 1000 + 60;

function failed({ storageDir }: CaptureRig, message: string, at = AT): void {
  noteFailure(storageDir, { at, event: 'stop', message });
}

function damaged({ damaged: folder }: CaptureRig, ...names: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  for (const name of names) writeFileSync(join(folder, name), 'torn');
}

test('where nothing is wrong nothing is said, whether hooks ever ran or not', () => {
  const rig = new CaptureRig();
  assert.deepEqual(captureNotes(rig.storageDir, NOW), []);
  damaged(rig);
  assert.deepEqual(captureNotes(rig.storageDir, NOW), []);
});

test('that hooks failed is said with how often, when last, at what, and what to do', () => {
  const rig = new CaptureRig();
  failed(rig, 'first');
  const [note, ...others] = captureNotes(rig.storageDir, NOW);
  assert.deepEqual(others, []);
  assert.equal(note?.code, 'hook_failed');
  assert.ok(note.message.startsWith(`A Claude Code hook failed once, last at ${AT} (stop)`), note.message);
  assert.match(note.message, /`subconscious-mcp doctor`/);

  for (const reason of ['second', 'third']) failed(rig, reason);
  const [again, ...more] = captureNotes(rig.storageDir, NOW);
  assert.deepEqual(more, []);
  assert.match(again?.message ?? '', /failed 3 times/);
});

test('why a hook failed is not said: it names files of one project, and every project is told', () => {
  const rig = new CaptureRig();
  failed(rig, 'The transcript /home/me/secret-project/x.jsonl cannot be read.');
  assert.doesNotMatch(JSON.stringify(captureNotes(rig.storageDir, NOW)), /secret-project/);
});

test('after a week a failure is no news', () => {
  const rig = new CaptureRig();
  failed(rig, 'long ago');
  assert.equal(captureNotes(rig.storageDir, NOW + 6 * DAY).length, 1);
  assert.deepEqual(captureNotes(rig.storageDir, NOW + 8 * DAY), []);
});

test('what was set aside is said with its folder, as long as it lies there', () => {
  const rig = new CaptureRig();
  damaged(rig, 'one.json');
  const [one] = captureNotes(rig.storageDir, NOW);
  assert.equal(one?.code, 'inbox_damaged');
  assert.match(one.message, /^One captured session was set aside/);
  assert.ok(one.message.includes(rig.damaged));
  damaged(rig, 'two.json');
  failed(rig, 'and a failure');
  const codes = captureNotes(rig.storageDir, NOW).map(({ code }) => code);
  assert.deepEqual(codes, ['hook_failed', 'inbox_damaged']);
  assert.match(captureNotes(rig.storageDir, NOW)[1]?.message ?? '', /^2 captured sessions/);
});
