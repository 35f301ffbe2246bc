import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { program } from '../program.js';
import type { Answer, Command } from './ownerProcess.js';

const STARTERS = 8;
/** Judging a process takes a while on Windows. */
const ROUNDS = process.platform === 'win32' ? 3 : 20;
const script = await program(join(import.meta.dirname, 'ownerProcess.ts'));
const root = mkdtempSync(join(tmpdir(), 'race-'));
const processes = new Set<ChildProcess>();

before(async () => {
  await Promise.all(Array.from({ length: STARTERS + 1 }, start));
});

after(() => {
  for (const child of processes) child.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
});

const newDirectory = (): string => mkdtempSync(join(root, 'store-'));

async function start(): Promise<ChildProcess> {
  const child = fork(script);
  processes.add(child);
  await answerOf(child);
  return child;
}

async function answerOf(child: ChildProcess): Promise<Answer> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(() =>
    assert.fail('ended without an answer'),
  );
  const answered = once(child, 'message', { signal: over.signal }).then(([answer]) => answer as Answer);
  try {
    return await Promise.race([answered, ended]);
  } finally {
    over.abort();
    await Promise.allSettled([ended, answered]);
  }
}

async function ask(child: ChildProcess, command: Command): Promise<Answer> {
  const answer = answerOf(child);
  child.send(command);
  return await answer;
}

/** All of them at once; the owner, when it is exactly one and every other one names it. */
async function race(starters: ChildProcess[], directory: string): Promise<ChildProcess> {
  const answers = await Promise.all(starters.map((child) => ask(child, { do: 'take', directory })));
  const owners = starters.filter((_, index) => answers[index]?.owner);
  assert.equal(owners.length, 1, 'owners');
  const [owner] = owners;
  assert.ok(owner);
  for (const answer of answers) {
    if (!answer.owner) assert.ok(answer.message.includes(`pid ${owner.pid ?? ''}`), answer.message);
  }
  return owner;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  processes.delete(child);
}

const starters = (): ChildProcess[] => [...processes].slice(0, STARTERS);

test('of 8 processes racing for an empty directory exactly one becomes its owner', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const directory = newDirectory();
    const owner = await race(starters(), directory);
    assert.deepEqual(readdirSync(directory), ['owner.1']);
    await ask(owner, { do: 'release' });
  }
});

test('after the owner has left, exactly one of 8 succeeds it at once', async () => {
  const directory = newDirectory();
  for (let round = 0; round < ROUNDS; round++) {
    await ask(await race(starters(), directory), { do: 'release' });
  }
  assert.deepEqual(readdirSync(directory), [`owner.${ROUNDS}`]);
});

test('after the owner was killed, exactly one of 8 succeeds it', async () => {
  const directory = newDirectory();
  for (let round = 1; round <= 3; round++) {
    const all = [...processes];
    const owner = await race(all, directory);
    await kill(owner);
    await race(
      all.filter((child) => child !== owner),
      directory,
    ).then((next) => ask(next, { do: 'release' }));
    await start();
  }
});

test('a process killed right after publishing leaves a directory that the next one can take', async () => {
  const directory = newDirectory();
  for (let round = 0; round < 2; round++) {
    const victim = await start();
    const ended = once(victim, 'exit');
    victim.send({ do: 'take and die in the middle', directory } satisfies Command);
    await ended;
    processes.delete(victim);
  }
  await ask(await race(starters(), directory), { do: 'release' });
  assert.deepEqual(readdirSync(directory), ['owner.3']);
});

test('processes that come and go without a pause are never inside together', async () => {
  const directory = newDirectory();
  const four = starters().slice(0, 4);
  await Promise.all(four.map((child) => ask(child, { do: 'churn', directory, times: ROUNDS })));
  assert.equal(readdirSync(directory).join(), `owner.${4 * ROUNDS}`);
});

if (process.platform !== 'win32') {
  test('a stopped owner stays the owner', async () => {
    const directory = newDirectory();
    const owner = await race(starters(), directory);
    owner.kill('SIGSTOP');
    const others = [...processes].filter((child) => child !== owner);
    const answers = await Promise.all(others.map((child) => ask(child, { do: 'take', directory })));
    assert.ok(answers.every((answer) => !answer.owner));
    owner.kill('SIGCONT');
    await ask(owner, { do: 'release' });
    await race(starters(), directory);
  });
}
