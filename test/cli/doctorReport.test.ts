import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/cli/doctor/finding.js';
import { jsonReport, textReport } from '../../src/cli/doctor/report.js';
import { terminalOf, type Terminal } from '../../src/cli/doctor/terminal.js';

const PLAIN: Terminal = { colours: false, unicode: true, columns: null };

const finding = (fields: Partial<Finding>): Finding => ({
  check: 'hooks',
  level: 'ok',
  message: 'Fine.',
  advice: '',
  ...fields,
});

function text(findings: readonly Finding[], terminal = PLAIN, mendable = 0): string {
  return textReport({ findings, mendable, backup: null }, '/home/me', terminal);
}

describe('the report', () => {
  it('aligns signs, names and words, and puts the advice below', () => {
    const findings = [
      finding({ check: 'node' }),
      finding({ check: 'permissions', level: 'warning', message: 'Open.', advice: 'Close it.' }),
      finding({ check: 'model', level: 'error', message: 'Gone.' }),
    ];
    const lines = [
      '✓ node         Fine.',
      '! permissions  Open.',
      '               → Close it.',
      '✗ model        Gone.',
    ];
    assert.equal(text(findings), `${lines.join('\n')}\n\n1 error, 1 warning.\n`);
    const ascii = text(findings, { ...PLAIN, unicode: false });
    assert.equal(ascii, text(findings).replace('✓', '+').replace('✗', 'x').replace('→', '->'));
  });

  it('colours the sign alone', () => {
    const colours = { ...PLAIN, colours: true };
    const escape = String.fromCharCode(27);
    const [first] = text([finding({ level: 'error' })], colours).split('\n');
    assert.equal(first, `${escape}[31m✗${escape}[0m hooks        Fine.`);
    assert.ok(text([finding({ level: 'warning' })], colours).startsWith(`${escape}[33m!${escape}[0m hooks`));
  });

  it('breaks lines between words where the width is known, and not in a narrow window', () => {
    const message = Array.from({ length: 40 }, (_, at) => `word${at}`).join(' ');
    const lines = text([finding({ message, advice: message })], { ...PLAIN, columns: 70 }).split('\n');
    assert.ok(lines.length > 10 && lines.every((line) => line.length <= 70), lines.join('\n'));
    assert.deepEqual(lines.filter((line) => /^ {15}(→ )? {0,2}word/.test(line)).length, lines.length - 4);
    assert.equal(text([finding({ message })], { ...PLAIN, columns: 30 }).split('\n').length, 4);
  });

  it('writes ~ for the home folder, but not in quotes, nor for a longer name', () => {
    const message = "/home/me (/home/me/a), /home/me. '/home/me/b c' /home/mean /x/home/me";
    assert.match(
      text([finding({ message })]),
      / {2}~ \(~\/a\), ~\. '\/home\/me\/b c' \/home\/mean \/x\/home\/me\n/,
    );
  });

  it('ends with the sums and what --fix is good for', () => {
    const wrong = [finding({ level: 'error' }), finding({ level: 'error' }), finding({ level: 'warning' })];
    assert.match(text(wrong, PLAIN, 1), /\n2 errors, 1 warning; run with --fix to mend 1 of them\.\n$/);
    assert.match(
      text([finding({ fixed: true })]),
      /^✓ hooks {8}Found and mended: Fine\.\n\nMended 1\. Everything is in/,
    );
    assert.match(text([finding({})]), /\n\nEverything is in order\.\n$/);
  });

  it('is JSON with the same findings, and a backup where there is one', () => {
    const findings = [finding({ fixed: true }), finding({ level: 'warning' })];
    const json = (backup: string | null, all: readonly Finding[] = findings) =>
      JSON.parse(jsonReport({ findings: all, mendable: 0, backup }, '1.2.3')) as unknown;
    assert.deepEqual(json(null), { ok: true, version: '1.2.3', findings });
    assert.deepEqual(json('/b'), { ok: true, version: '1.2.3', findings, backup: '/b' });
    const wrong = [finding({ level: 'error' })];
    assert.deepEqual(json(null, wrong), { ok: false, version: '1.2.3', findings: wrong });
  });
});

describe('what a terminal can show', () => {
  const on = (fields: object, env: Record<string, string>, platform: NodeJS.Platform = 'linux') =>
    terminalOf(Object.assign(new PassThrough(), fields), env, platform);
  const TTY = { isTTY: true, columns: 120 };

  it('is colours and a width on a terminal alone, and no colours for who does not want them', () => {
    assert.deepEqual(on(TTY, { LANG: 'C.UTF-8' }), { colours: true, unicode: true, columns: 120 });
    assert.deepEqual(on({}, { LANG: 'C.UTF-8' }), { colours: false, unicode: true, columns: null });
    for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }]) assert.equal(on(TTY, env).colours, false);
    assert.equal(on(TTY, { NO_COLOR: '' }).colours, true);
  });

  it('is ASCII where the locale or the console has no more', () => {
    const unicode = (env: Record<string, string>, platform?: NodeJS.Platform) =>
      on(TTY, env, platform).unicode;
    assert.equal(unicode({ LC_ALL: 'C', LANG: 'de_DE.UTF-8' }), false);
    assert.equal(unicode({ LC_CTYPE: 'en_US.utf8' }), true);
    assert.equal(unicode({ LANG: 'C.UTF-8', TERM: 'linux' }), false);
    assert.equal(unicode({}), false);
    assert.equal(unicode({}, 'win32'), false);
    assert.equal(unicode({ WT_SESSION: 'x' }, 'win32'), true);
    assert.equal(unicode({ TERM_PROGRAM: 'vscode' }, 'win32'), true);
    assert.equal(unicode({}, 'darwin'), true);
  });
});
