import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Backup } from '../../src/cli/doctor/backup.js';
import { examine, type Check, type Checks } from '../../src/cli/doctor/examine.js';
import { CHECK_NAMES, ok, warning, type CheckName } from '../../src/cli/doctor/finding.js';
import type { Surroundings } from '../../src/cli/doctor/surroundings.js';

const NOW = 1_700_000_000.5;

function homeFor(t: TestContext): string {
  const home = mkdtempSync(join(tmpdir(), 'subconscious-doctor-'));
  t.after(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** Checks that find nothing, but for those given; the ones that were made are noted in order. */
function checksWith(own: Partial<Record<CheckName, Check>>, made: string[] = []): Checks {
  const entries = CHECK_NAMES.map((name) => {
    const check: Check = (around) => {
      made.push(name);
      return own[name]?.(around) ?? Promise.resolve([ok(`${name} is fine.`)]);
    };
    return [name, check] as const;
  });
  return Object.fromEntries(entries) as Checks; // Of all names.
}

/** The checks here look at nothing else. */
const at = (home: string) => ({ home, env: {}, now: () => NOW }) as Surroundings;

/** A file that should not be there, as a check that can mend it. */
function unwanted(file: string, remove = () => rmSync(file)): Check {
  return () => {
    const isThere = readdirSync(join(file, '..')).includes('unwanted');
    const mend = { changes: [file], apply: () => Promise.resolve().then(remove) };
    return Promise.resolve([isThere ? warning('It is there.', 'Remove it.', mend) : ok('It is gone.')]);
  };
}

describe('an examination', () => {
  it('makes every check in order, whatever one of them throws', async (t) => {
    const made: string[] = [];
    const checks = checksWith({ storage: () => Promise.reject(new Error('EIO: the disk broke')) }, made);
    const { findings, mendable, backup } = await examine(at(homeFor(t)), true, checks);
    assert.deepEqual(made, [...CHECK_NAMES]);
    assert.deepEqual(
      findings.map(({ check }) => check),
      [...CHECK_NAMES],
    );
    const { level, message } = findings[2] ?? {};
    assert.deepEqual([level, message], ['error', 'This could not be checked: EIO: the disk broke.']);
    assert.deepEqual({ mendable, backup }, { mendable: 0, backup: null });
  });

  it('mends what one check found before the next, and looks at it again', async (t) => {
    const home = homeFor(t);
    const file = join(home, 'unwanted');
    writeFileSync(file, 'content', { mode: 0o640 });
    const seen: boolean[] = [];
    const server: Check = () => {
      seen.push(readdirSync(home).includes('unwanted'));
      return Promise.resolve([]);
    };
    const checks = checksWith({ storage: unwanted(file), server });

    const looked = await examine(at(home), false, checks);
    assert.deepEqual([looked.mendable, looked.backup], [1, null]);
    assert.ok(readdirSync(home).includes('unwanted'), 'nothing is changed without being told to');

    const { findings, mendable, backup } = await examine(at(home), true, checks);
    assert.deepEqual(
      findings.filter(({ check }) => check === 'storage'),
      [
        { check: 'storage', level: 'ok', message: 'It is there.', advice: '', fixed: true },
        { check: 'storage', level: 'ok', message: 'It is gone.', advice: '' },
      ],
    );
    assert.deepEqual(seen, [true, false]);
    assert.equal(mendable, 0);
    assert.equal(readFileSync(join(backup ?? '', '1-unwanted'), 'utf8'), 'content');
  });

  it('does not call mended what is still there, nor try what failed', async (t) => {
    const home = homeFor(t);
    const file = join(home, 'unwanted');
    writeFileSync(file, '');
    const failing = unwanted(file, () => {
      throw new Error('EPERM: not yours');
    });
    for (const [check, advice] of [
      [failing, 'Remove it. This run of --fix could not do all of it: EPERM: not yours.'],
      [unwanted(file, () => undefined), 'Remove it.'],
    ] as const) {
      const { findings } = await examine(at(home), true, checksWith({ hooks: check }));
      const hooks = findings.filter((one) => one.check === 'hooks');
      assert.deepEqual(hooks, [{ check: 'hooks', level: 'warning', message: 'It is there.', advice }]);
    }
  });

  it('changes nothing that it could not keep before', async (t) => {
    const home = homeFor(t);
    const file = join(home, 'unwanted');
    writeFileSync(file, 'content');
    writeFileSync(join(home, '.subconscious-mcp'), 'in the way');
    const { findings, backup } = await examine(at(home), true, checksWith({ hooks: unwanted(file) }));
    assert.match(
      findings.find(({ check }) => check === 'hooks')?.advice ?? '',
      /--fix could not do all of it: .*ENOTDIR/,
    );
    assert.equal(backup, null);
    assert.equal(readFileSync(file, 'utf8'), 'content');
    const homeless = await examine(at(''), true, checksWith({ hooks: unwanted(file) }));
    assert.match(
      homeless.findings.find(({ check }) => check === 'hooks')?.advice ?? '',
      /there is no home folder/,
    );
  });
});

describe('a backup', () => {
  it('is made when there is something to keep, never in the place of another', async (t) => {
    const home = homeFor(t);
    const [first, second] = [new Backup(home, () => NOW), new Backup(home, () => NOW)];
    assert.equal(first.folder, null);
    assert.deepEqual(readdirSync(home), []);
    writeFileSync(join(home, 'a'), 'one', { mode: 0o600 });
    await first.keep([join(home, 'a'), join(home, 'missing')]);
    writeFileSync(join(home, 'a'), 'two');
    await first.keep([join(home, 'a'), home]);
    await second.keep([join(home, 'a')]);
    const folder = (stamp: number) => join(home, '.subconscious-mcp', `doctor-backup-${stamp}`);
    assert.deepEqual([first.folder, second.folder], [folder(1_700_000_000), folder(1_700_000_001)]);
    assert.equal(readFileSync(join(folder(1_700_000_000), '1-a'), 'utf8'), 'one');
    assert.equal(readFileSync(join(folder(1_700_000_001), '1-a'), 'utf8'), 'two');
    assert.deepEqual(JSON.parse(readFileSync(join(folder(1_700_000_000), 'modes.json'), 'utf8')), [
      { path: join(home, 'a'), mode: '0600', copy: '1-a' },
      { path: join(home, 'missing'), mode: null, copy: null },
      { path: home, mode: '0700', copy: null },
    ]);
  });

  it('holds no copy of the store, nor of what is large', async (t) => {
    const home = homeFor(t);
    const backup = new Backup(home, () => NOW);
    const files = ['memory.db', 'changes.log', 'owner.1', 'large'].map((name) => join(home, name));
    for (const file of files)
      writeFileSync(file, file.endsWith('large') ? Buffer.alloc(1024 * 1024 + 1) : 'secret');
    await backup.keep(files);
    assert.deepEqual(readdirSync(backup.folder ?? ''), ['modes.json']);
  });
});
