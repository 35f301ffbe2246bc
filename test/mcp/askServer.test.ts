import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { askServer } from '../../src/mcp/askServer.js';
import { readStats } from '../../src/mcp/serverStats.js';
import { processExists } from '../../src/link/existence.js';

/** Asks a server that is this script, and does not wait long. */
async function ask(t: TestContext, script: string, patience = 10_000): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'subconscious-doctor-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'server.mjs');
  writeFileSync(file, script);
  return await askServer({ command: process.execPath, args: [file], env: {}, version: '1.0.0' }, patience);
}

/** Answers each request with what `answers` has for its method or tool: a result, or a sentence as an error. */
const answering = (answers: Readonly<Record<string, unknown>>) => `
import { createInterface } from 'node:readline';
const answers = ${JSON.stringify(answers)};
const asked = {};
for await (const line of createInterface(process.stdin)) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const name = method === 'tools/call' ? params.name : method;
  const list = answers[name];
  asked[name] = (asked[name] ?? -1) + 1;
  const answer = Array.isArray(list) ? list[Math.min(asked[name], list.length - 1)] : list;
  const body = typeof answer === 'string' ? { error: { code: -32603, message: answer } } : { result: answer };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...body }) + '\\n');
}`;

const HANDSHAKE = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'subconscious-mcp', version: '9.9.9' },
  },
  'tools/list': { tools: [{ name: 'search', inputSchema: { type: 'object' } }] },
};
const stats = (state: string) => ({
  content: [],
  structuredContent: { by_kind: { memory: 1, episode: 2 }, model: { name: 'm', state }, health: [] },
});
const refusal = (text: string) => ({ isError: true, content: [{ type: 'text', text }] });

describe('asking a server', () => {
  it('waits for its model', async (t) => {
    const answers = { ...HANDSHAKE, search: { content: [] }, stats: [stats('loading'), stats('ready')] };
    const said = await ask(t, answering(answers));
    assert.deepEqual(said, {
      reached: true,
      version: '9.9.9',
      tools: 1,
      stats: readStats(stats('ready').structuredContent),
      searchFailure: null,
    });
  });

  it('tells why it did not search, in its words', async (t) => {
    const answers = { ...HANDSHAKE, search: refusal('The index is gone.'), stats: stats('idle') };
    const { searchFailure } = (await ask(t, answering(answers))) as { searchFailure: string };
    assert.equal(searchFailure, 'The index is gone.');
  });

  it('passes on why a request was refused, without the words of the protocol', async (t) => {
    const refused = (reason: string) => ({ reached: false, reason });
    assert.deepEqual(
      await ask(t, answering({ initialize: 'The store is in use.' })),
      refused('The store is in use.'),
    );
    const answers = { ...HANDSHAKE, search: { content: [] }, stats: refusal('Not now.') };
    assert.deepEqual(await ask(t, answering(answers)), refused('Not now.'));
  });

  it('passes on what a server said that could not start', async (t) => {
    const said = await ask(t, "process.stderr.write('config.json is broken.\\n'); process.exitCode = 1;");
    assert.deepEqual(said, { reached: false, reason: 'config.json is broken.' });
  });

  it('passes that on as it was said, also where a letter comes in two pieces', async (t) => {
    const words = '日'.repeat(22_500);
    const said = await ask(t, `process.stderr.write(${JSON.stringify(words)});`);
    assert.deepEqual(said, { reached: false, reason: words.slice(-2000) });
  });

  it('gives up on a server that says nothing, and ends it', async (t) => {
    const note = join(mkdtempSync(join(tmpdir(), 'subconscious-doctor-')), 'pid');
    t.after(() => rmSync(dirname(note), { recursive: true }));
    const script = `import { writeFileSync } from 'node:fs';
      writeFileSync(${JSON.stringify(note)}, String(process.pid));
      setInterval(() => undefined, 1000);`;
    const said = await ask(t, script, 1000);
    assert.deepEqual(said, { reached: false, reason: 'It did not answer within 1 seconds.' });
    assert.equal(processExists(Number(readFileSync(note, 'utf8'))), false);
  });

  it('says that there is no such program', async () => {
    const said = await askServer({ command: '/nowhere/node', args: [], env: {}, version: '1.0.0' });
    assert.match(JSON.stringify(said), /"reached":false,"reason":"spawn \/nowhere\/node ENOENT"/);
  });

  it('does not take an answer of another kind for statistics', () => {
    for (const content of [undefined, null, 'x', {}, { model: null }, { model: { state: 1 } }]) {
      assert.throws(() => readStats(content), /not what this version knows/);
    }
    const sparse = readStats({ model: { state: 'new' }, health: [null, { code: 'a', message: 'b' }] });
    assert.deepEqual(sparse.health, [
      { code: '', message: '' },
      { code: 'a', message: 'b' },
    ]);
    assert.deepEqual([sparse.memories, sparse.model.reason], [0, '']);
  });
});
