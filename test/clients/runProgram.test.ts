import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { runProgram } from '../../src/clients/runProgram.js';

describe('a program that is run', () => {
  it('is heard as it speaks, also where a letter comes in two pieces', async () => {
    const script = `for (const out of [process.stdout, process.stderr]) out.write('日'.repeat(100_000));`;
    const words = '日'.repeat(100_000);
    assert.deepEqual(await runProgram(process.execPath, ['-e', script], { env: {}, cwd: tmpdir() }), {
      status: 0,
      stdout: words,
      stderr: words,
    });
  });
});
