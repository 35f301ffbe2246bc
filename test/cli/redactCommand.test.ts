import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { Sandbox, SERVER } from '../server/sandbox.js';
import { run } from './command.js';

/** Put together here, so that no scanner takes this file for a leak. */
const SECRET = ['ghp', 'q7Zk2Vn8sXw4Rt6Yb1Lm9Pc3Df5Hj0Ga2Se7'].join('_');

describe('redact', () => {
  it('prints the text with its secrets masked and no other byte changed', (t) => {
    const box = new Sandbox(t);
    const input = `\uFEFFtoken: ${SECRET}\r\nüber 🧠\n\n  end`;
    const { status, stdout, stderr } = run(box, ['redact'], { input });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.equal(stdout.replace(/\[REDACTED:\w+\]/, SECRET), input);
    assert.equal(stdout.includes(SECRET), false);
  });

  it('tells with --json what was found where, and never the secret', (t) => {
    const input = `über ${SECRET} 🧠`;
    const { status, stdout } = run(new Sandbox(t), ['redact', '--json'], { input });
    assert.equal(status, 0);
    const { text, findings } = JSON.parse(stdout) as { text: string; findings: Record<string, unknown>[] };
    const [finding = {}] = findings;
    assert.deepEqual(findings, [{ rule: finding['rule'], start: 5, end: 5 + SECRET.length }]);
    assert.equal(text, `über [REDACTED:${String(finding['rule'])}] 🧠`);
    assert.equal(stdout.includes(SECRET), false);
  });

  it('prints nothing for nothing, and text without secrets as it is', (t) => {
    const box = new Sandbox(t);
    assert.equal(run(box, ['redact']).stdout, '');
    const plain = 'no secrets in here\n'.repeat(20_000);
    assert.equal(run(box, ['redact'], { input: plain }).stdout, plain);
    assert.deepEqual(JSON.parse(run(box, ['redact', '--json']).stdout), { text: '', findings: [] });
  });

  it('puts a replacement character for what is not UTF-8', (t) => {
    const input = Buffer.from([0x61, 0xff, 0x62]);
    assert.equal(run(new Sandbox(t), ['redact'], { input }).stdout, 'a\uFFFDb');
  });

  it('ends quietly when its reader has enough', (t) => {
    const box = new Sandbox(t);
    const command = `"$0" "$1" redact | head -c 1`;
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command, process.execPath, SERVER], {
      env: box.environment(),
      input: 'x'.repeat(1_000_000),
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stdout, stderr }, { status: 0, stdout: 'x', stderr: '' });
  });
});
