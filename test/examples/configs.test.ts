import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { z } from 'zod';
import { isJson, serverFile, startServer } from './builtServer.js';

const Config = z.strictObject({
  mcpServers: z.strictObject({
    subconscious: z.strictObject({
      type: z.literal('stdio').optional(),
      command: z.string(),
      args: z.array(z.string()),
      env: z.record(z.string(), z.string()).optional(),
    }),
  }),
});

const Package = z.object({ name: z.string(), version: z.string(), bin: z.record(z.string(), z.string()) });

async function json(path: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../${path}`, import.meta.url), 'utf8'));
}

async function entryOf(file: string) {
  return Config.parse(await json(`examples/${file}`)).mcpServers.subconscious;
}

for (const file of ['claude_desktop_config.json', 'claude_code_config.json']) {
  test(`${file} starts the program of this package through npx`, async () => {
    const entry = await entryOf(file);
    const { name, bin } = Package.parse(await json('package.json'));
    assert.equal(entry.command, 'npx');
    assert.deepEqual(entry.args, ['-y', name]);
    // npx runs the program named like the package.
    assert.equal(bin[name], 'dist/server.js');
  });

  test(`the entry of ${file} answers initialize when it starts the built server`, async (t) => {
    const { env } = await entryOf(file);
    const built = { command: process.execPath, args: [serverFile], ...(env ? { env } : {}) };
    const server = await startServer(t, built);
    const clientInfo = { name: 'test', version: '1.0.0' };
    const answer = await server.exchange({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    const { name, version } = Package.parse(await json('package.json'));
    assert.ok(isJson(answer.result), JSON.stringify(answer));
    assert.deepEqual(pick(answer.result.serverInfo, ['name', 'version']), { name, version });
    assert.equal(answer.result.protocolVersion, '2025-06-18');
  });
}

test('claude_code_config.json names its transport, as a project file does', async () => {
  assert.equal((await entryOf('claude_code_config.json')).type, 'stdio');
});

function pick(value: unknown, keys: readonly string[]) {
  assert.ok(isJson(value));
  return Object.fromEntries(keys.map((key) => [key, value[key]]));
}
