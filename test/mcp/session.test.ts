import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { openSession, type Session } from '../../src/mcp/session.js';

/** Shakes hands, and does this with a call of a tool, whose request has `id`. */
const server = (onCall: string) => `
import { createInterface } from 'node:readline';
const say = (id, body) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (method === 'initialize') {
    const serverInfo = { name: 'server', version: '1' };
    say(id, { result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo } });
  }
  if (method === 'tools/call') {
    ${onCall}
  }
}`;

async function open(t: TestContext, onCall: string, words: string[] = []): Promise<Session> {
  const folder = mkdtempSync(join(tmpdir(), 'subconscious-session-'));
  const file = join(folder, 'server.mjs');
  writeFileSync(file, server(onCall));
  const session = await openSession({
    command: process.execPath,
    args: [file],
    env: {},
    cwd: folder,
    name: 'test',
    version: '1',
    watched: [],
    onUpdated: () => undefined,
    onClosed: () => undefined,
    onWords: (line) => words.push(line),
  });
  t.after(async () => {
    await session.close();
    rmSync(folder, { recursive: true });
  });
  return session;
}

async function failureOf(session: Session): Promise<Error> {
  const error: unknown = await session.call('recall', {}).then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return error;
}

describe('a session with a server', () => {
  it('fails as the tool says it, and by a name that says that it was the tool', async (t) => {
    const refusal = `say(id, { result: { isError: true, content: [{ type: 'text', text: 'Not now.' }] } });`;
    const { name, message } = await failureOf(await open(t, refusal));
    assert.deepEqual([name, message], ['ToolFailure', 'Not now.']);
  });

  it('fails in words for people, without those of the protocol, where it is not the tool that fails', async (t) => {
    const cases = {
      'The store is in use.': `say(id, { error: { code: -32603, message: 'The store is in use.' } });`,
      'The memory server ended before it answered.': 'process.exit();',
    };
    for (const [words, onCall] of Object.entries(cases)) {
      const { name, message } = await failureOf(await open(t, onCall));
      assert.deepEqual([name, message], ['Error', words]);
    }
  });

  it('is an abort where the caller asked for that', async (t) => {
    const session = await open(t, '');
    const aborting = new AbortController();
    const call = session.call('recall', {}, aborting.signal);
    aborting.abort();
    await assert.rejects(call, { name: 'AbortError' });
  });

  it('passes on each line the server says, also one that comes in pieces, as it was said', async (t) => {
    const line = '日'.repeat(100_000);
    const words: string[] = [];
    const said = `process.stderr.write('first\\n\\n${line}\\r\\nlast', () => say(id, { result: { content: [] } }));`;
    const session = await open(t, said, words);
    await session.call('recall', {});
    await session.close();
    assert.deepEqual(words, ['first', line, 'last']);
  });
});
