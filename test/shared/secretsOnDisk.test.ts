import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';
import { faultOf } from '../capture/corpus/judge.js';
import { secretsOfCorpus, type SecretSample } from '../capture/corpus/samples.js';
import { Sandbox } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { hookLog, inbox, inboxIsEmpty } from './hookProcess.js';
import { hostsOf, killHost, onlyHost } from './hosts.js';
import { allEpisodes, REVIEWING } from './reviewer.js';

/** UTF-16 units: a question of an episode is cut after 1,000, and a row of the store shall stay within one page. */
const BATCH = 900;
const TAG = 100;
/** One word for each way to the disk. That they are found there shows that the search finds what there is. */
const MARKS = [
  'marktask',
  'markanswer',
  'marktag',
  'markrecall',
  'markquestion',
  'markoutcome',
  'marksample',
];
const EXPECTED_FILES = [
  'memory.db',
  'memory.previous.db',
  'changes.log',
  'changes.previous.log',
  'server.log',
];

const env = { ...REVIEWING, SUBCONSCIOUS_LOG_LEVEL: 'DEBUG' };
const samples = secretsOfCorpus();
const texts = batches(samples.map(({ text }) => text));
const tags = samples.map(({ text }) => text).filter((text) => text.length <= TAG && !/\p{Cc}/u.test(text));
const secrets = [...new Set(samples.flatMap((sample) => sample.secrets))];
const findable = new Set(samples.filter(isFound).flatMap((sample) => sample.secrets));

/** Whether the redactor masks every secret in this sample alone. */
function isFound(sample: SecretSample): boolean {
  return faultOf(sample, redact(sample.text)) === null;
}

/** Several in one text, with a blank line between them: that keeps each in its own surroundings. */
function batches(all: readonly string[]): string[] {
  const joined: string[] = [];
  for (const text of all) {
    const whole = `${joined.at(-1) ?? ''}\n\n${text}`;
    if (joined.length > 0 && whole.length <= BATCH) joined[joined.length - 1] = whole;
    else joined.push(text);
  }
  return joined;
}

/** As a client says it: what it remembers, asks and searches for. */
async function say(server: ServerProcess, from: number, to: number): Promise<void> {
  const share = Math.ceil(tags.length / texts.length);
  for (let at = from; at < to; at += 1) {
    const [task = '', answer = ''] = [texts[at], texts[(at + 1) % texts.length]];
    await server.call('remember', {
      task: `marktask ${at}\n\n${task}`,
      answer: `markanswer\n\n${answer}`,
      tags: ['marktag', ...tags.slice(at * share, (at + 1) * share)],
    });
    await server.call('recall', { task: `markrecall ${at}\n\n${task}` });
    await server.call('search', { query: task });
    await server.call('echo', { task });
  }
}

/** As sessions of an agent that end at the same time, two at once. */
async function capture(box: Sandbox, from: number, to: number): Promise<void> {
  const lane = async (first: number) => {
    for (let at = first; at < to; at += 2) {
      const [question = '', answer = ''] = [texts[at], texts[(at + 1) % texts.length]];
      await new AgentSession(box).captures(`markquestion\n\n${question}`, `markoutcome\n\n${answer}`);
    }
  };
  await Promise.all([lane(from), lane(from + 1)]);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Of these texts the ones that stand in any file of the home folder, plain or as JSON writes them. */
function onDisk(box: Sandbox, words: readonly string[]): string[] {
  const files = filesBelow(box.home).map((path) => readFileSync(path));
  const forms = (word: string) => [word, JSON.stringify(word).slice(1, -1)].map((form) => Buffer.from(form));
  return words.filter((word) => forms(word).some((form) => files.some((file) => file.includes(form))));
}

function check(box: Sandbox): void {
  assert.deepEqual(onDisk(box, MARKS), MARKS);
  const left = onDisk(box, secrets);
  const kinds = (some: readonly string[]) =>
    samples
      .filter((sample) => sample.secrets.some((secret) => some.includes(secret)))
      .map(({ kind }) => kind);
  const known = left.filter((secret) => findable.has(secret));
  assert.deepEqual(known, [], `secrets that are known on disk: ${kinds(known).join(', ')}`);
  const share = left.length / secrets.length;
  assert.ok(share <= 0.02, `${(100 * share).toFixed(1)} % of the secrets on disk: ${kinds(left).join(', ')}`);
}

/** Ends server and host in good order: what they know is in one file then. */
async function end(box: Sandbox, server: ServerProcess): Promise<void> {
  await inboxIsEmpty(box);
  await server.end();
  process.kill(await onlyHost(box), 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);
}

test('no secret reaches the disk on any way, with a crash in between and after an end in good order', async (t) => {
  const box = new Sandbox(t, 'shared');
  const [first = 0, second = 0, last = 0] = [1, 2, 3].map((part) => Math.floor((part * texts.length) / 4));
  const crashing = await box.start({ env });
  await say(crashing, 0, second);
  await capture(box, 0, first);
  await crashing.kill();
  // What these leave lies in the inbox as they wrote it, or half way into the store.
  await Promise.all([capture(box, first, second), killHost(box)]);
  for (let part = 0; part < 4; part += 1) {
    const some = texts.filter((_, at) => at % 4 === part);
    await new AgentSession(box).sample({ prompt: `marksample ${some.join('\n\n')}`, all: some });
  }
  assert.ok(inbox(box).length > 0);
  check(box);

  const third = await box.start({ env });
  await say(third, second, last);
  await capture(box, second, last);
  await end(box, third);
  const fourth = await box.start({ env });
  await say(fourth, last, texts.length);
  await capture(box, last, texts.length);
  await inboxIsEmpty(box);
  assert.equal((await allEpisodes(fourth)).length, texts.length);
  await end(box, fourth);
  check(box);
  const names = filesBelow(box.home).map((path) => basename(path));
  assert.deepEqual(
    EXPECTED_FILES.filter((name) => !names.includes(name)),
    [],
  );
  assert.deepEqual(hookLog(box), []);
});
