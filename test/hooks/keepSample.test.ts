import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { HookRig, QUIET } from './hookRig.js';

const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

test('what a client says of an event is kept for its shape, with all secrets masked', async (t) => {
  const rig = new HookRig(t);
  const payload = {
    hook_event_name: 'PostToolUse',
    tool: { args: [`push ${SECRET}`], n: 1 },
    password: 'hunter2!x',
  };
  assert.deepEqual(await rig.run('log-only', payload), QUIET);
  const folder = join(rig.storage, 'logs', 'payload_samples');
  const [name = '', ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  assert.match(name, /^PostToolUse-\d{8}T\d{9}Z-[0-9a-f]{16}\.json$/);
  const text = readFileSync(join(folder, name), 'utf8');
  assert.equal(text.includes('ghp_') || text.includes('hunter2'), false, text);
  const sample = JSON.parse(text) as typeof payload;
  assert.deepEqual([sample.hook_event_name, sample.tool.n], ['PostToolUse', 1]);
  assert.match(sample.tool.args[0] ?? '', /^push \[REDACTED:\w+\]$/);
  if (process.platform !== 'win32') assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600);
});

test('the newest 20 are kept, and no event’s name leads elsewhere', async (t) => {
  const rig = new HookRig(t);
  const folder = rig.folder('home', '.subconscious-mcp', 'data', 'logs', 'payload_samples');
  const old = (n: number) => `Stop-20200101T0000000${String(n).padStart(2, '0')}Z-0123456789abcdef.json`;
  for (let n = 0; n < 25; n += 1) writeFileSync(join(folder, old(n)), '{}');
  writeFileSync(join(folder, 'notes.txt'), 'of a person');
  assert.deepEqual(await rig.run('log-only', { hook_event_name: '../../evil' }), QUIET);
  const names = readdirSync(folder).sort();
  assert.equal(names.length, 21);
  assert.ok(names.includes('notes.txt') && names.includes(old(24)) && names.includes(old(6)));
  assert.equal(names.includes(old(5)), false);
  assert.ok(names.some((name) => name.startsWith('unknown-')));
});

test('a folder that is switched off is left out', async (t) => {
  const rig = new HookRig(t);
  rig.file(join('project', '.subconscious.json'), '{"capture": false}');
  assert.deepEqual(await rig.run('log-only', { hook_event_name: 'Stop' }), QUIET);
  assert.equal(
    rig.stored().some((path) => path.includes('payload_samples')),
    false,
  );
});
