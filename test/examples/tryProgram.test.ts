import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from './builtServer.js';

const program = fileURLToPath(new URL('../../examples/try.mjs', import.meta.url));

/** Runs the program with a folder of its own for temporary files, so that what it leaves behind is seen. */
async function start(t: TestContext, lines: string | null) {
  const running: { child?: ChildProcess; ended?: Promise<unknown> } = {};
  const folder = await temporaryFolder(t, () => {
    running.child?.kill();
    return running.ended;
  });
  const temporary = join(folder, 'tmp');
  const file = join(folder, 'mine.jsonl');
  await mkdir(temporary);
  if (lines !== null) await writeFile(file, lines);
  const child = spawn(process.execPath, [program, file], {
    env: { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  Object.assign(running, { child, ended });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  return {
    child,
    async result() {
      const [stdout, stderr] = await output;
      await ended;
      return { code: child.exitCode, stdout, stderr, left: await readdir(temporary) };
    },
  };
}

const good = [
  { task: 'Restart the label printer in the warehouse', answer: 'Hold the feed button for ten seconds.' },
  { task: '倉庫のラベルプリンターを再起動する', answer: '給紙ボタンを10秒間押し続けます。', tags: ['ja'] },
].map((task) => JSON.stringify(task));

test('a file of your own is remembered and asked again; bad lines are named and passed over', async (t) => {
  const lines = [
    '\ufeff' + (good[0] ?? ''),
    '',
    'no json',
    '{"task":" ","answer":"x"}',
    '[1]',
    good[1],
    '{"task":"x"}',
  ];
  const { code, stdout, stderr, left } = await (await start(t, lines.join('\r\n'))).result();
  assert.equal(code, 0, stdout + stderr);
  assert.deepEqual(stderr.match(/(?<=mine\.jsonl line )\d+/g), ['3', '4', '5', '7']);
  assert.match(stdout, /remembered 2 of 2 tasks/);
  assert.match(stdout, /2 right hits, 0 honest misses, 0 wrong hits, 0 missed/);
  assert.match(stdout, /claude mcp add subconscious -- node /);
  // eslint-disable-next-line no-control-regex -- the point is that no control sequence is printed
  assert.doesNotMatch(stdout, /\u001b/);
  assert.deepEqual(left, []);
});

test('a file that does not exist is a clear error', async (t) => {
  const { code, stderr, left } = await (await start(t, null)).result();
  assert.equal(code, 1);
  assert.match(stderr, /cannot read .*mine\.jsonl/);
  assert.deepEqual(left, []);
});

test('a file without a usable line is an error', async (t) => {
  const { code, stderr } = await (await start(t, 'nothing\n')).result();
  assert.equal(code, 1);
  assert.match(stderr, /line 1: not JSON/);
  assert.match(stderr, /no usable line/);
});

test('an interrupted run leaves nothing behind', async (t) => {
  const run = await start(t, good.join('\n'));
  run.child.stdout.once('data', () => run.child.kill('SIGINT'));
  const { code, left } = await run.result();
  assert.ok(code === 130 || process.platform === 'win32', String(code));
  if (process.platform !== 'win32') assert.deepEqual(left, []);
});
