import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { OUTCOME_LIMIT, TASK_LIMIT } from '../../src/core/episode.js';
import { Transcript } from '../capture/transcriptBuilder.js';
import { HookRig, QUIET, SERVER } from './hookRig.js';

/** Built, so that no scanner takes this file for a leak. */
const SECRET = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;

test('a stopped turn is in the inbox: its question, its last message, its project', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'Make the client retry', 'An earlier draft');
  const before = Date.now() / 1000;
  const payload = rig.stopPayload('session-1', transcript, { last_assistant_message: 'It retries now' });
  assert.deepEqual(await rig.run('stop', payload), QUIET);
  const [found, ...others] = rig.sessions();
  assert.ok(found);
  assert.deepEqual(others, []);
  assert.deepEqual([found.sessionId, found.directory], ['session-1', rig.project]);
  assert.equal(found.project.name, 'project');
  const { at = 0, revisedAt = 0, ...turn } = found.turns[0] ?? {};
  const said = { task: 'Make the client retry', outcome: 'It retries now' };
  assert.deepEqual(turn, { id: transcript.promptId, ...said, final: true });
  assert.ok(at >= before && at <= Date.now() / 1000 && revisedAt === at);
  assert.deepEqual(rig.failures(), []);
});

test('one document grows with its session, and repeated events add nothing', async (t) => {
  const rig = new HookRig(t);
  const first = rig.transcript('one', 'first task', 'first outcome');
  const second = rig.transcript('two', 'second task', 'second outcome');
  for (const transcript of [first, second, second, first]) {
    assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript)), QUIET);
  }
  const path = join(rig.inbox, 's.json');
  const stored = statSync(path, { bigint: true });
  const end = { ...rig.stopPayload('s', second), hook_event_name: 'SessionEnd', reason: 'other' };
  await rig.run('session-end', end);
  await rig.run('pre-compact', { ...end, hook_event_name: 'PreCompact', trigger: 'auto' });
  assert.equal(statSync(path, { bigint: true }).mtimeNs, stored.mtimeNs);
  assert.deepEqual(
    rig.turns().map(({ task, outcome }) => [task, outcome]),
    [
      ['first task', 'first outcome'],
      ['second task', 'second outcome'],
    ],
  );
});

test('a fork that ends without a question of its own keeps nothing of the session it was copied from', async (t) => {
  const rig = new HookRig(t);
  const copied = new Transcript('parent').prompt('the task').answer('the outcome');
  const path = rig.file('fork.jsonl', copied.text);
  const end = (session: string) => ({ session_id: session, transcript_path: path, cwd: rig.project });
  for (const event of ['session-end', 'pre-compact']) {
    assert.deepEqual(await rig.run(event, end('fork')), QUIET);
    assert.deepEqual(rig.turns(), [], event);
  }
  await rig.run('session-end', end('parent'));
  assert.deepEqual(
    rig.sessions().map(({ sessionId }) => sessionId),
    ['parent'],
  );
});

test('the end of a session catches up on what a stop missed', async (t) => {
  const rig = new HookRig(t);
  const { path, promptId } = rig.transcript('one', 'the task', 'the outcome');
  for (const [event, session] of [
    ['session-end', 'a'],
    ['pre-compact', 'b'],
  ] as const) {
    assert.deepEqual(await rig.run(event, { session_id: session, transcript_path: path }), QUIET);
  }
  assert.deepEqual(
    rig.turns().map(({ id, outcome, final }) => [id, outcome, final]),
    [
      [promptId, 'the outcome', true],
      [promptId, 'the outcome', true],
    ],
  );
});

test('a transcript that lags behind the stop is left to the next event', async (t) => {
  const rig = new HookRig(t);
  const { path } = rig.transcript('one', 'an older task', 'an older outcome');
  const payload = { ...rig.stopPayload('s', { path, promptId: 'newer' }), last_assistant_message: 'newer' };
  assert.deepEqual(await rig.run('stop', payload), QUIET);
  assert.deepEqual([rig.turns(), rig.failures()], [[], []]);
  const { lines } = new Transcript('s').prompt('a newer task', { promptId: 'newer' }).answer('newer outcome');
  appendFileSync(path, `${lines.join('\n')}\n`);
  await rig.run('session-end', payload);
  assert.deepEqual(
    rig.turns().map(({ task }) => task),
    ['a newer task'],
  );
});

test('secrets are masked before anything is cut or written', async (t) => {
  const rig = new HookRig(t);
  // The cut goes through the middle of the secret.
  const task = `${'x'.repeat(TASK_LIMIT - 20)} ${SECRET}`;
  const transcript = rig.transcript('one', task, 'unused');
  const last = `${'y'.repeat(OUTCOME_LIMIT)} ${SECRET}`;
  const more = { last_assistant_message: `${SECRET} ${last}` };
  assert.deepEqual(await rig.run('stop', rig.stopPayload(`s-${SECRET}`, transcript, more)), QUIET);
  const [turn] = rig.turns();
  assert.ok(turn);
  assert.deepEqual([turn.task.length <= TASK_LIMIT, turn.outcome.length <= OUTCOME_LIMIT], [true, true]);
  assert.ok(turn.outcome.startsWith('[REDACTED:'));
  assert.equal(JSON.stringify(turn).includes('ghp_'), false);
});

test('a private span is dropped, and a turn that is nothing else is not kept', async (t) => {
  const rig = new HookRig(t);
  const part = rig.transcript('part', 'deploy <private>to the secret place</private> today', 'done');
  await rig.run('stop', rig.stopPayload('part', part));
  const [turn, ...others] = rig.turns();
  assert.deepEqual([turn?.task, others], ['deploy [REDACTED:private] today', []]);
  const task = rig.transcript('task', ' <private>all of it</private>\n', 'done');
  const outcome = rig.transcript('outcome', 'deploy', '<private>all of it</private> <private>and more');
  await rig.run('stop', rig.stopPayload('task', task));
  await rig.run('stop', rig.stopPayload('outcome', outcome));
  assert.equal(rig.turns().length, 1);
  assert.deepEqual(rig.failures(), []);
});

test('a private span is dropped wherever its end is, and what stands behind it is kept', async (t) => {
  const rig = new HookRig(t);
  const long = 'secret place '.repeat(4000);
  for (const [session, open] of [
    ['plain', '<private>'],
    ['capitalised', '<Private>'],
    ['glued', 'here<private>'],
  ] as const) {
    const task = rig.transcript(session, `deploy ${open}to the ${long}</Private > today`, 'done');
    await rig.run('stop', rig.stopPayload(session, task));
  }
  assert.deepEqual(
    rig.turns().map(({ task }) => task.replace('here', '')),
    Array<string>(3).fill('deploy [REDACTED:private] today'),
  );
  assert.deepEqual(rig.failures(), []);
});

test('subagents, agents that a hook sent on, and events without a transcript add nothing', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  for (const more of [
    { stop_hook_active: true },
    { hook_event_name: 'SubagentStop' },
    { agent_id: 'a1' },
    { transcript_path: undefined },
    { transcript_path: '' },
    { transcript_path: 7 },
  ]) {
    assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript, more)), QUIET);
  }
  assert.deepEqual([rig.turns(), rig.failures()], [[], []]);
  await rig.run('stop', rig.stopPayload('s', transcript, { agent_id: null }));
  assert.equal(rig.turns().length, 1);
});

test('with capture switched off in the configuration nothing at all is made', async (t) => {
  const rig = new HookRig(t);
  rig.configure({ capture_enabled: false });
  const transcript = rig.transcript('one', 'task', 'outcome');
  for (const event of ['stop', 'session-end', 'pre-compact', 'log-only', 'session-start']) {
    assert.deepEqual(await rig.run(event, rig.stopPayload('s', transcript)), QUIET);
  }
  assert.deepEqual(await rig.run('stop', '{broken'), QUIET);
  assert.equal(existsSync(rig.storage), false);
});

test('a repository switches capture off with a file, and a file that is wrong does so with a word in the log', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  rig.file(join('project', '.git', 'HEAD'), '');
  const below = rig.folder('project', 'packages', 'web');
  const stop = () => rig.run('stop', rig.stopPayload('s', transcript, { cwd: below }), { cwd: below });
  const file = rig.file(join('project', '.subconscious.json'), '{"capture": false}');
  assert.deepEqual(await stop(), QUIET);
  assert.deepEqual([rig.turns(), rig.failures()], [[], []]);
  writeFileSync(file, 'capture: false');
  assert.deepEqual(await stop(), QUIET);
  assert.deepEqual(rig.turns(), []);
  const [line = '', ...others] = rig.failures();
  assert.ok(line.includes('.subconscious.json') && line.includes('JSON object'), line);
  assert.deepEqual(others, []);
  writeFileSync(file, '{"namespace": "victim", "project": "victim", "storage_dir": "/tmp"}');
  await stop();
  assert.deepEqual(
    rig.sessions().map(({ project }) => project.name),
    ['project'],
  );
  rmSync(file);
});

test('the project is that of the client’s folder, not of the one the agent went to', async (t) => {
  const rig = new HookRig(t);
  const other = rig.folder('日本');
  const transcript = rig.transcript('one', 'task', 'outcome');
  const names = async (
    session: string,
    options: { cwd: string; env?: Record<string, string> },
    cwd?: string,
  ) => {
    await rig.run('stop', rig.stopPayload(session, transcript, { cwd }), options);
    return rig.sessions().find(({ sessionId }) => sessionId === session)?.project;
  };
  const env = { CLAUDE_PROJECT_DIR: other };
  const said = await names('a', { cwd: rig.home, env }, rig.project);
  const reported = await names('b', { cwd: rig.home }, other);
  const started = await names('c', { cwd: other });
  assert.equal(said?.name, '日本');
  assert.deepEqual([reported, started], [said, said]);
  const namespaced = await names('d', { cwd: other, env: { SUBCONSCIOUS_NAMESPACE: 'Mine' } });
  assert.deepEqual(namespaced, { key: 'namespace:mine', name: 'mine' });
});

test('one session in two projects has two documents', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const other = rig.folder('elsewhere', 'project');
  await rig.run('stop', rig.stopPayload('s', transcript));
  await rig.run('stop', rig.stopPayload('s', transcript, { cwd: other }), { cwd: other });
  assert.equal(new Set(rig.sessions().map(({ project }) => project.key)).size, 2);
});

test('the server’s command does the same', async (t) => {
  const rig = new HookRig(t);
  const config = rig.file('other.json', JSON.stringify({ storage_dir: join(rig.root, 'elsewhere') }));
  const transcript = rig.transcript('one', 'task', 'outcome');
  const words = ['--config', config, 'hook', '--event=stop'];
  const options = { program: SERVER, words };
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript), options), QUIET);
  const text = readFileSync(join(rig.root, 'elsewhere', 'inbox', 's.json'), 'utf8');
  assert.ok(text.includes('"task":"task"'), text);
  assert.deepEqual(rig.stored(), []);
});

test('it is written down when an event was handled last', async (t) => {
  const rig = new HookRig(t);
  const before = new Date().toISOString();
  await rig.run('stop', rig.stopPayload('s', rig.transcript('one', 'task', 'outcome')));
  const last = readFileSync(join(rig.storage, 'logs', 'hook.stop.last'), 'utf8').trim();
  assert.ok(last >= before && last <= new Date().toISOString(), last);
});
