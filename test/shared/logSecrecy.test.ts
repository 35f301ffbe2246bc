import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf, recordIn } from './hosts.js';
import { connectToHost, helloTo } from './socketClient.js';

const SECRET = 'Vorstandsgeheimnis';
const FOREIGN_TOKEN = 'c0ffee'.repeat(10);
/** Line breaks, colours, and what some terminals take for a line break. */
const CONTROLS = '\u001b[31m\r\n2026-01-01 INFO forged\u0000\u0007\u0085\u2028';
// eslint-disable-next-line no-control-regex -- They are what is looked for.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029]/;

/** Says these lines to the host as somebody who is no front, and resolves when it has hung up. */
async function strange(box: Sandbox, ...lines: readonly string[]): Promise<void> {
  const socket = connectToHost(recordIn(box.storage));
  socket.on('error', () => undefined); // Being cut off is what it expects.
  socket.resume();
  // Not events.once, which would take the error for its own.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const line of lines) socket.write(`${line}\n`);
  await closed;
}

test('the log at its most talkative holds no words of a client, no token and nothing that moves a cursor', async (t) => {
  const box = new Sandbox(t, 'shared');
  const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_LOG_LEVEL: 'DEBUG' };
  const client = await box.start({ env });
  const record = recordIn(box.storage);
  const strangeness = `${SECRET} ${CONTROLS}`;

  const { entry_id } = await client.call('remember', { task: strangeness, answer: strangeness });
  await client.call('recall', { task: strangeness });
  await client.refusal('get', { entry_id: strangeness });
  await client.refusal('search', { query: SECRET, [SECRET]: strangeness });
  const refusals = [null, null].map((id) => client.answerTo(id));
  client.write(`{"jsonrpc":"2.0","${SECRET}\u001b[31m\u0007\n`);
  client.write(`${JSON.stringify([strangeness])}\n`);
  await Promise.all(refusals);
  const answers = [
    { id: strangeness, result: { [SECRET]: strangeness } },
    { id: 4711, error: { code: 1, message: strangeness } },
    { method: `notifications/${SECRET}`, params: { [SECRET]: strangeness } },
  ];
  for (const answer of answers) client.write(`${JSON.stringify({ jsonrpc: '2.0', ...answer })}\n`);
  assert.ok((await client.request(SECRET, { text: strangeness })).error);
  assert.ok((await client.request('tools/call', { name: SECRET, arguments: {} })).error);

  const hello = helloTo(record, box.project);
  const knocks = [
    { ...hello, token: FOREIGN_TOKEN },
    { ...hello, token: strangeness },
    { ...hello, version: strangeness },
    { ...hello, version: `9.9.9${CONTROLS}`, protocol: 99 },
    { ...hello, protocol: 99, token: FOREIGN_TOKEN, version: '1.2.3-x' },
  ];
  for (const knock of knocks) await strange(box, JSON.stringify(knock), SECRET);
  await strange(box, `${SECRET}\u001b[31m`);
  assert.equal((await client.call('get', { entry_id })).answer.includes(SECRET), true);
  await client.end();
  process.kill(record.pid, 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);

  const log = readFileSync(join(box.home, '.subconscious-mcp', 'logs', 'server.log'), 'utf8');
  for (const said of [
    /DEBUG .*remember answered/,
    /DEBUG .*get refused/,
    /line of a client/,
    /was refused/,
  ]) {
    assert.match(log, said);
  }
  for (const secret of [SECRET, 'forged', record.token, FOREIGN_TOKEN, hello.frontId]) {
    assert.equal(log.includes(secret), false, `${secret} is in\n${log}`);
  }
  assert.equal(CONTROL.exec(log), null);
});
