import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import type { Answer } from '../../src/mcp/askServer.js';
import { checkInbox } from '../../src/cli/doctor/checkInbox.js';
import { checkNode } from '../../src/cli/doctor/checkNode.js';
import { checkOwnership } from '../../src/cli/doctor/checkOwnership.js';
import { checkPermissions } from '../../src/cli/doctor/checkPermissions.js';
import { checkModel } from '../../src/cli/doctor/checkModel.js';
import { checkServer } from '../../src/cli/doctor/checkServer.js';
import { checkStorage } from '../../src/cli/doctor/checkStorage.js';
import { readStats } from '../../src/mcp/serverStats.js';
import type { Surroundings } from '../../src/cli/doctor/surroundings.js';
import { writeHostFile } from '../../src/link/hostFile.js';
import { MEGABYTE, NOW, refused, surroundingsOf } from './surroundingsOf.js';

const STATS = {
  by_kind: { memory: 1, episode: 2 },
  model: { name: 'm', state: 'ready', runtime: 'r' },
  health: [],
};

const reached = (stats: object = {}): Answer => ({
  reached: true,
  version: '1.0.0',
  tools: 8,
  stats: readStats({ ...STATS, ...stats }),
  searchFailure: null,
});

const around = (t: TestContext, fields: Partial<Surroundings> = {}, answer: Answer = reached()) =>
  surroundingsOf(t, fields, answer);

const record = (version: string, pid = process.pid) => ({
  protocol: 1,
  pid,
  token: 'token',
  address: '/nowhere/host.1.sock',
  version,
  schema: 1,
  startedAt: NOW - 7300,
});

describe('the checks', () => {
  it('want Node 20 or later, and say which it is', async (t) => {
    const levels = ['20.0.0', '24.1.0', '19.9.0', '9.0.0'].map(async (nodeVersion) => {
      const [one] = await checkNode(around(t, { nodeVersion }));
      assert.ok(one?.message.includes(`Node ${nodeVersion} (/opt/node)`), nodeVersion);
      return one?.level;
    });
    assert.deepEqual(await Promise.all(levels), ['ok', 'ok', 'error', 'error']);
  });

  it('want room on the disk, also for a folder that is not there yet', async (t) => {
    const withFree = (free: number) => ({ freeBytes: () => Promise.resolve(free) });
    const levels = async (free: number, home?: Surroundings) =>
      (await checkStorage({ ...(home ?? around(t)), ...withFree(free) })).map(({ level }) => level);
    assert.deepEqual(await levels(100 * MEGABYTE), ['ok']);
    assert.deepEqual(await levels(100 * MEGABYTE - 1), ['warning']);
    assert.deepEqual(await levels(10 * MEGABYTE - 1), ['error']);
    const empty = around(t);
    rmSync(join(empty.home, '.subconscious-mcp'), { recursive: true });
    const asked: string[] = [];
    const said = await checkStorage({
      ...empty,
      freeBytes: (folder) => Promise.resolve(asked.push(folder)).then(() => 0),
    });
    assert.deepEqual(
      said.map(({ level }) => level),
      ['ok', 'error'],
    );
    assert.deepEqual(asked, [empty.home]);
  });

  it('want a storage folder of this user, except for root', async (t) => {
    const place = around(t);
    const owner = process.geteuid?.() ?? 0;
    const [foreign] = await checkStorage({ ...place, uid: owner + 1 });
    assert.equal(foreign?.level, 'error');
    assert.match(foreign.message, new RegExp(`belongs to user ${owner}, and you are user ${owner + 1}`));
  });

  it('do not look at permissions where there are no numeric users', async (t) => {
    const place = around(t, { uid: null, platform: 'win32' });
    const said = await checkPermissions(place);
    assert.deepEqual(
      said.map(({ level }) => level),
      ['ok'],
    );
    assert.match(said[0]?.message ?? '', /^Not checked/);
    assert.ok(!(await checkStorage(place)).some(({ message }) => message.includes('yours alone')));
  });

  it('say who has the store, since when, and how its version compares', async (t) => {
    const say = async (version: string, answer: Answer, fields: Partial<Surroundings> = {}) => {
      const place = around(t, fields, answer);
      await writeHostFile(place.config.storageDir, record(version));
      return (await checkOwnership(place)).map(({ level, message }) => `${level}: ${message}`).join('\n');
    };
    const process_ = `The memory process (pid ${process.pid}, started 2 hours ago)`;
    assert.equal(await say('1.0.0', reached()), `ok: ${process_} answers.`);
    assert.match(await say('1.2.0', reached()), /answers\. Its version 1\.2\.0 is newer than this one/);
    assert.match(
      await say('0.9.0', refused),
      /^error: .*did not answer this check\. Its version 0\.9\.0 is older/,
    );
    assert.equal(await say('1.0.0', refused, { configProblem: 'It is broken.' }), `ok: ${process_} runs.`);
  });

  it('take a record of no process for what the next client replaces', async (t) => {
    const place = around(t, {}, refused);
    // Above what any system gives.
    await writeHostFile(place.config.storageDir, record('1.0.0', 2 ** 30));
    const [one] = await checkOwnership(place);
    assert.equal(one?.level, 'ok');
    assert.match(one.message, /has ended; it will be replaced by the next client/);
  });

  it('say everything that is wrong with the store, but nothing twice', async (t) => {
    const kept = 'memory.db.damaged-2026-01-02T030405.678Z';
    const health = [
      { code: 'damaged_file', message: `memory.db was damaged. It is kept as ${kept}.` },
      { code: 'missing_file', message: 'changes.log was missing.' },
      { code: 'writes_refused', message: 'Writes are refused.' },
      { code: 'snapshot_failed', message: 'No snapshot.' },
      { code: 'something_new', message: 'Of a later version.' },
      ...['no_model', 'config', 'hook_failed', 'inbox_damaged'].map((code) => ({ code, message: code })),
    ];
    const place = around(t, { setAside: [kept] }, reached({ health }));
    writeFileSync(join(place.config.storageDir, kept), '', { mode: 0o600 });
    const said = (await checkServer(place)).slice(1).map(({ level, message }) => [level, message]);
    assert.deepEqual(said, [
      ['error', 'changes.log was missing.'],
      ['error', 'Writes are refused.'],
      ['warning', 'No snapshot.'],
      ['warning', 'Of a later version.'],
    ]);
    const [stored] = await checkStorage(place);
    assert.match(stored?.message ?? '', /^memory\.db was found damaged.* on 2026-01-02/);
  });

  it('name what was set aside while the server was asked, whether that says so or not', async (t) => {
    const [old, fresh] = ['memory.db.damaged-2026-01-02T030405.678Z', 'changes.log.damaged-2026-03-04T0Z'];
    const health = [{ code: 'damaged_file', message: `changes.log was damaged. It is kept as ${fresh}.` }];
    for (const answer of [refused, reached(), reached({ health })]) {
      const place = around(t, { setAside: [old] }, answer);
      for (const name of [old, fresh]) writeFileSync(join(place.config.storageDir, name), '');
      const said = (await checkServer(place)).slice(1);
      assert.deepEqual(
        said.map(({ level }) => level),
        ['error'],
      );
      assert.match(said[0]?.message ?? '', /^changes\.log was found damaged/);
      assert.ok(said[0]?.advice.includes(join(place.config.storageDir, fresh)));
    }
  });

  it('want an inbox and logs of this user', async (t) => {
    for (const name of ['inbox', 'logs']) {
      const place = around(t);
      const owner = process.geteuid?.() ?? 0;
      const folder = join(place.config.storageDir, name);
      mkdirSync(folder);
      const said = await checkInbox({ ...place, uid: owner + 1 });
      assert.equal(said[0]?.level, 'error');
      assert.ok(
        said[0].message.startsWith(`${folder} belongs to user ${owner}, and you are user ${owner + 1}.`),
      );
      assert.equal(said[0].advice, `Make it yours again: sudo chown -R ${owner + 1} ${folder}`);
      assert.equal((await checkInbox({ ...place, uid: owner }))[0]?.level, 'ok');
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
      assert.match((await checkInbox(place))[0]?.message ?? '', /is a file, not a folder/);
    }
  });

  it("do not call somebody else's things yours alone", async (t) => {
    const place = around(t);
    const own = join(place.home, '.subconscious-mcp');
    const uid = process.geteuid?.() ?? 0;
    const levels = async (as: number) =>
      (await checkPermissions({ ...place, uid: as }))
        .map(({ level, message }) => `${level}: ${message}`)
        .join();
    assert.ok((await levels(uid + 1)).startsWith(`warning: ${own} belongs to user ${uid}, and you are`));
  });

  it('close nothing but files and folders of this product', async (t) => {
    const place = around(t);
    const shared = join(place.home, 'shared');
    mkdirSync(join(shared, 'logs'), { recursive: true });
    mkdirSync(join(shared, 'inbox'));
    for (const folder of [shared, join(shared, 'logs'), join(shared, 'inbox')]) chmodSync(folder, 0o755);
    const config = join(shared, 'config.json');
    writeFileSync(config, '{}');
    chmodSync(config, 0o644);
    chmodSync(join(place.home, '.subconscious-mcp'), 0o700);
    assert.match((await checkPermissions({ ...place, configFile: shared }))[0]?.message ?? '', /yours alone/);
    const [one, ...more] = await checkPermissions({
      ...place,
      configFile: config,
      config: { ...place.config, storageDir: shared },
    });
    assert.deepEqual(
      { level: one?.level, mend: one?.mend, more },
      { level: 'warning', mend: undefined, more: [] },
    );
    assert.ok(
      one?.message.includes('config.json (0644)') && one.message.includes('logs (0755)'),
      one?.message,
    );
  });

  it('warn of captured sessions that a memory process leaves where they are', async (t) => {
    const place = around(t);
    const inbox = join(place.config.storageDir, 'inbox');
    mkdirSync(inbox);
    writeFileSync(join(inbox, 'old.json'), '{}');
    writeFileSync(join(inbox, 'young.json'), '{}');
    utimesSync(join(inbox, 'old.json'), NOW - 6, NOW - 6);
    utimesSync(join(inbox, 'young.json'), NOW - 4, NOW - 4);
    const say = async (fields: Partial<Surroundings>) => {
      const [one] = await checkInbox({ ...place, ...fields }, 1);
      return `${one?.level ?? ''}: ${one?.message ?? ''}`;
    };
    assert.match(
      await say({}),
      /^warning: 2 captured sessions wait in .*inbox although the memory process runs/,
    );
    const waits = 'ok: 2 captured sessions wait for the next client to start.';
    assert.equal(await say({ ask: () => Promise.resolve(refused) }), waits);
    assert.equal(await say({ config: { ...place.config, standalone: true } }), waits);
    rmSync(join(inbox, 'old.json'));
    assert.equal(await say({}), 'ok: 1 captured session waits for the memory process, which takes them up.');
  });

  it('take captured sessions that become fewer for a backlog, however old they are', async (t) => {
    let looks = 0;
    const place = around(t);
    const inbox = join(place.config.storageDir, 'inbox');
    mkdirSync(inbox);
    for (let number = 0; number < 3; number += 1) {
      writeFileSync(join(inbox, `${number}.json`), '{}');
      utimesSync(join(inbox, `${number}.json`), NOW - 600, NOW - 600);
    }
    // The clock is read at every look.
    const now = () => {
      looks += 1;
      if (looks === 3) rmSync(join(inbox, '0.json'));
      return NOW;
    };
    const [one] = await checkInbox({ ...place, now }, 1);
    assert.equal(one?.level, 'ok');
    assert.match(one.message, /^2 captured sessions wait for the memory process/);
  });

  it('tell a model that is slow from one that is absent', async (t) => {
    const model = async (fields: object, searchFailure: string | null = null) => {
      const answer = { ...reached({ model: { name: 'm', ...fields } }), searchFailure };
      const [one] = await checkModel(around(t, {}, answer));
      return `${one?.level ?? ''}: ${one?.message ?? ''}`;
    };
    assert.equal(await model({ state: 'ready', runtime: 'r' }), 'ok: The model m is ready (r).');
    assert.match(await model({ state: 'loading' }), /^warning: .* still loading/);
    assert.equal(
      await model({ state: 'unavailable', reason: 'No.' }),
      'error: The model m cannot be used: No.',
    );
    assert.match(await model({ state: 'ready' }, 'It broke.'), /^error: A search .* failed: It broke\./);
  });
});
