import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Sandbox } from '../server/sandbox.js';
import { AgentSession } from './agentSession.js';
import { HookProcess, hookLog, inbox } from './hookProcess.js';
import { episodesAre, REVIEWING } from './reviewer.js';

test('people see that a hook failed, and that capture is on', async (t) => {
  const box = new Sandbox(t, 'shared');
  const server = await box.start({ env: REVIEWING });
  const before = await server.call('stats');
  assert.equal(before.capture_enabled, true);
  assert.equal(JSON.stringify(before.health).includes('hook'), false);

  const folder = box.folder('transcripts', 'a-folder.jsonl');
  const payload = { session_id: 's', transcript_path: folder, cwd: box.project, hook_event_name: 'Stop' };
  assert.equal(await new HookProcess(box, 'stop', payload, { cwd: box.project }).ended, '');
  assert.equal(hookLog(box).length, 1);
  const { health } = await server.call('stats');
  const note = health.find(({ code }) => code === 'hook_failed');
  assert.match(note?.message ?? '', /failed once.*\(stop\).*doctor/);
  // Why is for the user alone: other projects' clients read this, too.
  assert.match(hookLog(box)[0] ?? '', / stop .*a-folder\.jsonl.*no regular file/);
  assert.equal(note?.message.includes('a-folder'), false);
  assert.deepEqual(inbox(box), []);

  // It is not in the way of others.
  await new AgentSession(box).captures('after that', 'x');
  await episodesAre(server, 1);
});

test('where capture is switched off memory says so, and hooks leave nothing at all', async (t) => {
  const box = new Sandbox(t, 'shared');
  box.configure({ capture_enabled: false });
  await new AgentSession(box).captures('asked in private', 'x');
  assert.equal(existsSync(box.storage), false);
  const server = await box.start({ env: REVIEWING });
  assert.equal((await server.call('stats')).capture_enabled, false);
  await new AgentSession(box).captures('asked in private again', 'x');
  assert.deepEqual(inbox(box), []);
  assert.deepEqual(hookLog(box), []);
});
