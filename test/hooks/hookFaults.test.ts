import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../server/until.js';
import { ended, HookRig, QUIET, SERVER } from './hookRig.js';

const EVENTS = ['session-start', 'stop', 'session-end', 'pre-compact', 'log-only'];

/** The one line in the log; fails where there are others. */
function onlyFailure(rig: HookRig): string {
  const [line = '', ...others] = rig.failures();
  assert.deepEqual(others, []);
  assert.match(line, /^\d{4}-\d\d-\d\dT\S+Z [a-z-]+ \S/);
  return line;
}

test('whatever comes on stdin, every event ends well and says nothing', async (t) => {
  const rig = new HookRig(t);
  for (const input of ['', '{"session_id":', '[]', 'null', '\0\0', '{}']) {
    for (const event of EVENTS) assert.deepEqual(await rig.run(event, input), QUIET, `${event} ${input}`);
  }
  assert.deepEqual(rig.turns(), []);
  for (const line of rig.failures()) assert.match(line, /stdin/);
  assert.equal(rig.failures().length, 4 * EVENTS.length);
});

test('fields of a wrong kind are taken for absent', async (t) => {
  const rig = new HookRig(t);
  const odd = { session_id: 5, transcript_path: ['x'], cwd: {}, source: 1, last_assistant_message: {} };
  for (const event of EVENTS) assert.deepEqual(await rig.run(event, odd), QUIET);
  assert.deepEqual(rig.failures(), []);
});

test('a payload nested as deep as it can be ends well', async (t) => {
  const rig = new HookRig(t);
  const deep = `{"a":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}`;
  assert.deepEqual(await rig.run('log-only', deep), QUIET);
  assert.deepEqual(await rig.run('stop', deep), QUIET);
});

test('an unknown event, or none, is a line that names those there are', async (t) => {
  const rig = new HookRig(t);
  assert.deepEqual(await rig.run('stopp', {}), QUIET);
  assert.match(onlyFailure(rig), /^\S+ unknown .*"stopp".*session-start, stop, session-end/);
  assert.deepEqual(await rig.run('', {}, { words: [] }), QUIET);
  assert.match(rig.failures()[1] ?? '', /^\S+ unknown No event/);
});

test('a configuration that cannot be read is a line in the default place, and nothing is captured', async (t) => {
  const rig = new HookRig(t);
  rig.configure('{"log_level" "INFO"}');
  const transcript = rig.transcript('one', 'task', 'outcome');
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript)), QUIET);
  assert.match(onlyFailure(rig), /^\S+ stop .*config\.json is not valid JSON/);
  assert.equal(existsSync(rig.inbox), false);
  const words = ['--event', 'stop', '--config', join(rig.root, 'missing.json')];
  assert.deepEqual(await rig.run('stop', {}, { words }), QUIET);
  assert.match(rig.failures()[1] ?? '', /missing\.json cannot be read/);
  assert.deepEqual(await rig.run('stop', {}, { env: { SUBCONSCIOUS_CAPTURE_ENABLED: 'maybe' } }), QUIET);
});

test('of a configuration that cannot be read, what the environment says counts for the log', async (t) => {
  const rig = new HookRig(t);
  rig.configure('{"log_level" "INFO"}');
  const other = join(rig.root, 'other');
  for (const event of EVENTS) {
    const off = { SUBCONSCIOUS_CAPTURE_ENABLED: 'false', SUBCONSCIOUS_STORAGE_DIR: other };
    assert.deepEqual(await rig.run(event, {}, { env: off }), QUIET);
    assert.deepEqual([rig.stored(), existsSync(other)], [[], false], event);
  }
  await rig.run('stop', {}, { env: { SUBCONSCIOUS_STORAGE_DIR: other } });
  assert.deepEqual([rig.stored(), existsSync(join(other, 'logs', 'hook.log'))], [[], true]);
});

test('a run that failed is not noted as one that went well', async (t) => {
  const rig = new HookRig(t);
  const last = join(rig.storage, 'logs', 'hook.stop.last');
  const transcript = rig.transcript('one', 'task', 'outcome');
  await rig.run('stop', 'no JSON');
  await rig.run('stop', rig.stopPayload('s', { path: rig.project, promptId: 'p' }));
  assert.deepEqual([rig.failures().length, existsSync(last)], [2, false]);
  await rig.run('stop', rig.stopPayload('s', transcript));
  assert.deepEqual([rig.failures().length, existsSync(last)], [2, true]);
});

test('without a home folder a given storage directory does', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const env = { HOME: '.', USERPROFILE: '.', SUBCONSCIOUS_STORAGE_DIR: rig.storage };
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript), { env }), QUIET);
  assert.equal(rig.turns().length, 1);
});

test('a transcript that is missing or none is a line; a session that ends unused has none', async (t) => {
  const rig = new HookRig(t);
  const missing = { path: join(rig.root, 'missing.jsonl'), promptId: 'p' };
  assert.deepEqual(await rig.run('session-end', rig.stopPayload('s', missing)), QUIET);
  assert.deepEqual(rig.failures(), []);
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', missing)), QUIET);
  assert.match(onlyFailure(rig), /stop ENOENT.*missing\.jsonl/);
  const folder = { path: rig.project, promptId: 'p' };
  assert.deepEqual(await rig.run('session-end', rig.stopPayload('s', folder)), QUIET);
  assert.match(rig.failures()[1] ?? '', /session-end .*no regular file/);
  const binary = rig.file('junk.jsonl', '\0\xff{}[]\n'.repeat(1000));
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', { path: binary, promptId: 'p' })), QUIET);
  assert.deepEqual([rig.turns(), rig.failures().length], [[], 2]);
});

test('a turn of a session without an id is not kept, and that is a line', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const payload = rig.stopPayload('s', transcript, { session_id: undefined });
  assert.deepEqual(await rig.run('stop', payload), QUIET);
  assert.match(onlyFailure(rig), /no session_id/);
});

test('where nothing can be stored every event ends well', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const places = [
    join(rig.file('file', ''), 'data'),
    ...(process.platform === 'linux' ? ['/proc/none'] : []),
  ];
  for (const place of places) {
    for (const event of EVENTS) {
      const env = { SUBCONSCIOUS_STORAGE_DIR: place };
      assert.deepEqual(await rig.run(event, rig.stopPayload('s', transcript), { env }), QUIET, place);
    }
  }
});

test('a file in the place of the inbox, or of the log, is no reason to fail', async (t) => {
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const stop = () => rig.run('stop', rig.stopPayload('s', transcript));
  const file = rig.file(join('home', '.subconscious-mcp', 'data', 'inbox'), 'no folder');
  assert.deepEqual(await stop(), QUIET);
  assert.match(onlyFailure(rig), /^\S+ stop E\w+/);
  rmSync(file);
  rmSync(join(rig.storage, 'logs'), { recursive: true });
  rig.file(join('home', '.subconscious-mcp', 'data', 'logs'), 'no folder');
  assert.deepEqual(await stop(), QUIET);
  assert.equal(rig.turns().length, 1);
});

test('a full disk is no reason to fail, loses nothing and leaves no half file', async (t) => {
  if (process.platform === 'win32') return;
  const rig = new HookRig(t);
  await rig.run('stop', rig.stopPayload('s', rig.transcript('one', 'first', 'outcome')));
  const second = rig.transcript('two', 'second', 'z'.repeat(2000));
  // No file may grow beyond a block, of 512 or 1,024 bytes as the shell counts.
  const prefix = ['sh', '-c', 'ulimit -f 1; exec "$@"', 'sh'];
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', second), { prefix }), QUIET);
  assert.deepEqual(
    rig.turns().map(({ task }) => task),
    ['first'],
  );
  assert.match(onlyFailure(rig), /EFBIG/);
  assert.deepEqual(
    rig.stored().filter((path) => path.endsWith('.tmp')),
    [],
  );
  await rig.run('stop', rig.stopPayload('s', second));
  assert.deepEqual(
    rig
      .turns()
      .map(({ task }) => task)
      .sort(),
    ['first', 'second'],
  );
});

test('pipes in the place of files are not waited for', async (t) => {
  if (process.platform === 'win32') return;
  const rig = new HookRig(t);
  const transcript = rig.transcript('one', 'task', 'outcome');
  const pipe = (path: string) => {
    rmSync(path, { force: true });
    execFileSync('mkfifo', [path]);
    return path;
  };
  mkdirSync(join(rig.storage, 'logs'), { recursive: true });
  mkdirSync(rig.inbox);
  pipe(join(rig.inbox, 's.json'));
  assert.deepEqual(await rig.run('stop', rig.stopPayload('s', transcript)), QUIET);
  const path = pipe(join(rig.root, 'pipe'));
  assert.deepEqual(await rig.run('stop', rig.stopPayload('t', { path, promptId: 'p' })), QUIET);
  pipe(join(rig.project, '.subconscious.json'));
  pipe(join(rig.storage, 'logs', 'hook.log'));
  pipe(join(rig.storage, 'logs', 'hook.stop.last'));
  assert.deepEqual(await rig.run('stop', rig.stopPayload('u', transcript)), QUIET);
});

test('a stdin that stays open is not waited for', async (t) => {
  const rig = new HookRig(t);
  const [silent, talking] = [rig.start('stop', null), rig.start('stop', null)];
  talking.stdin?.write(JSON.stringify(rig.stopPayload('s', rig.transcript('one', 'task', 'outcome'))));
  assert.deepEqual(await Promise.all([ended(silent), ended(talking)]), [QUIET, QUIET]);
  assert.equal(rig.turns().length, 1);
  assert.match(onlyFailure(rig), /not ended/);
});

test('a stdin that never stops talking is left after a while', async (t) => {
  const rig = new HookRig(t);
  const child = rig.start('stop', null);
  const talking = setInterval(() => child.stdin?.write(' '), 200);
  try {
    assert.deepEqual(await ended(child), QUIET);
  } finally {
    clearInterval(talking);
  }
});

test('a closed stdin is an event of which nothing is said', async (t) => {
  if (process.platform === 'win32') return;
  const rig = new HookRig(t);
  const prefix = ['sh', '-c', 'exec "$@" <&-', 'sh'];
  for (const event of EVENTS) assert.deepEqual(await rig.run(event, '', { prefix }), QUIET);
  const closed = ['sh', '-c', 'exec "$@" >&- 2>&-', 'sh'];
  assert.deepEqual(await rig.run('session-start', {}, { prefix: closed }), QUIET);
});

test('asked to end while it waits, it ends well', async (t) => {
  // Elsewhere nothing tells from outside whether it listens yet.
  if (process.platform !== 'linux') return;
  const rig = new HookRig(t);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const child = rig.start('stop', null);
    await until('it listens to signals', () => catches(child.pid ?? 0));
    child.kill(signal);
    assert.deepEqual(await ended(child), QUIET, signal);
  }
});

test('a working directory that was deleted is no reason to fail', async (t) => {
  if (process.platform === 'win32') return;
  const rig = new HookRig(t);
  const gone = rig.folder('gone');
  const prefix = ['sh', '-c', `cd '${gone}' && rmdir '${gone}' && exec "$@"`, 'sh'];
  for (const event of EVENTS) {
    mkdirSync(gone, { recursive: true });
    const { code, stdout } = await rig.run(event, {}, { prefix });
    assert.deepEqual([code, stdout], [0, '']);
  }
});

test('a hook bundle that is gone is no reason to fail for the server’s command', async (t) => {
  const rig = new HookRig(t);
  const program = rig.file(join('program', 'server.cjs'), readFileSync(SERVER, 'utf8'));
  const { code, stdout, stderr } = await rig.run('stop', {}, { program, words: ['hook', '--event', 'stop'] });
  assert.deepEqual([code, stdout], [0, '']);
  assert.match(stderr, /Install subconscious-mcp again/);
});

/** Whether the process has a handler for SIGHUP, SIGINT and SIGTERM, the signals 1, 2 and 15. */
function catches(pid: number): boolean {
  const caught = /^SigCgt:\s+([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  const wanted = (1n << 0n) | (1n << 1n) | (1n << 14n);
  return (BigInt(`0x${caught}`) & wanted) === wanted;
}
