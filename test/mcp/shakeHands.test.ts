import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shakeHands } from '../../src/mcp/shakeHands.js';
import { Sandbox, SERVER, WITHOUT_MODEL } from '../server/sandbox.js';

describe('a handshake', () => {
  it('counts the tools and what the project of the folder remembers, without a model', async (t) => {
    const box = new Sandbox(t);
    const first = await box.start({ env: WITHOUT_MODEL });
    await first.call('remember', { task: 'A task', answer: 'An answer' });
    await first.kill();
    const start = {
      command: process.execPath,
      args: [SERVER],
      env: box.environment(WITHOUT_MODEL),
      version: '1.0.0',
    };
    const here = await shakeHands({ ...start, cwd: box.project });
    assert.ok(here.reached);
    assert.deepEqual([here.tools, here.memories], [8, 1]);
    const elsewhere = await shakeHands({ ...start, cwd: box.folder('elsewhere') });
    assert.ok(elsewhere.reached);
    assert.equal(elsewhere.memories, 0);
  });

  it('passes on what a server said that could not start', async () => {
    const said = 'process.stderr.write("It is gone.\\n"); process.exitCode = 1;';
    const start = { command: process.execPath, args: ['-e', said], env: {}, version: '1.0.0' };
    assert.deepEqual(await shakeHands(start), { reached: false, reason: 'It is gone.' });
  });
});
