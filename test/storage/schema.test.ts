import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import initSqlJs from 'sql.js';
import { MemoryError } from '../../src/core/errors.js';
import { MIGRATIONS } from '../../src/storage/schema.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import {
  collect,
  entry,
  ledgerRow,
  listing,
  memory,
  recall,
  receipt,
  temporaryDirectory,
  vector,
} from './builders.js';
import { episode, insertEpisodes } from './episodeBuilders.js';
import { dyingAt, faulty, systemError, withoutSync } from './faults.js';

const NEWER = [...MIGRATIONS, "ALTER TABLE memories ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'"];

const wasm = createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm');

async function newerRefused(directory: string): Promise<void> {
  const before = listing(directory);
  await assert.rejects(
    openSqlStore(directory),
    (error) =>
      error instanceof MemoryError && error.reason === 'storage' && /newer version/.test(error.message),
  );
  assert.deepEqual(listing(directory), before);
}

async function ids(directory: string, migrations = MIGRATIONS): Promise<string[]> {
  const store = await openSqlStore(directory, { migrations, fs: withoutSync });
  const rows = await collect(store.all('model-a'));
  await store.close();
  return rows.map((row) => row.memory.id);
}

describe('schema', () => {
  it('of a newer program is refused and nothing is touched', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory, { migrations: NEWER });
    await store.insert(entry('a'));
    await newerRefused(directory);
    await store.snapshot();
    await newerRefused(directory);
    await store.insert(entry('b'));
    await newerRefused(directory);
  });

  it('number set in memory.db by another program is respected', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await store.insert(entry('a'));
    await store.close();
    const path = join(directory, 'memory.db');
    const sqlite = await initSqlJs({ locateFile: () => wasm });
    const database = new sqlite.Database(readFileSync(path));
    database.run('PRAGMA user_version = 9');
    writeFileSync(path, database.export());
    await newerRefused(directory);
  });

  it('is brought up to date after the replay, and snapshotted at once', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory);
    await old.insert(entry('a'));
    await old.snapshot();
    await old.insert(entry('b'));
    const store = await openSqlStore(directory, { migrations: NEWER });
    assert.equal((await store.state()).schemaVersion, NEWER.length);
    assert.equal(readFileSync(join(directory, 'memory.db')).readUInt32BE(60), NEWER.length);
    await store.insert(entry('c'));
    assert.deepEqual(await ids(directory, NEWER), ['a', 'b', 'c']);
  });

  it('2 has a ledger, also where the store was written with schema 1', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory, { migrations: MIGRATIONS.slice(0, 1) });
    await old.insert(entry('a'));
    const store = await openSqlStore(directory);
    assert.equal((await store.state()).schemaVersion, MIGRATIONS.length);
    await store.trash('a', 5, { ledger: ledgerRow('k') });
    assert.deepEqual(await (await openSqlStore(directory)).ledgerRow('k'), ledgerRow('k'));
  });

  it('3 has episodes, also where the store was written with schema 2', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory, { migrations: MIGRATIONS.slice(0, 2) });
    await old.insert(entry('a'), { receipt: receipt('k') });
    await old.snapshot();
    await old.insert(entry('b', { kind: 'episode' }), { ledger: ledgerRow('k') });
    const store = await openSqlStore(directory);
    assert.equal((await store.state()).schemaVersion, MIGRATIONS.length);
    assert.deepEqual(await store.episodes({ projects: null, limit: 10 }), []);
    assert.equal(await store.nextEpisode(), 1);
    await insertEpisodes(store, episode(1), episode(2));
    await store.purge(['episode-2']);
    const again = await openSqlStore(directory);
    assert.deepEqual(await again.episode('episode-1'), episode(1));
    assert.equal(await again.nextEpisode(), 3);
    assert.deepEqual(await again.receipt('k'), receipt('k'));
    await again.close();
    assert.deepEqual(await ids(directory), ['a', 'b', 'episode-1']);
  });

  it('4 has reviews, versions and usage, also where the store was written with schema 3', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory, { migrations: MIGRATIONS.slice(0, 3) });
    await old.insert(entry('a', {}, vector(1)), { receipt: receipt('k') });
    await old.appendRecall(recall(1, { entryId: 'a', hit: true }), 1_000_000);
    await old.close();
    assert.equal(readFileSync(join(directory, 'memory.db')).readUInt32BE(60), 3);
    const grown = await openSqlStore(directory, { migrations: MIGRATIONS.slice(0, 3) });
    await grown.insert(entry('b'));
    await grown.appendRecall(recall(2, { entryId: 'b', hit: true }), 1_000_000);

    const store = await openSqlStore(directory);
    assert.equal((await store.state()).schemaVersion, MIGRATIONS.length);
    assert.deepEqual([...(await store.reviews('project-a'))], []);
    assert.deepEqual((await store.usage(['a'])).get('a'), { hits: 1, versions: 0 });
    assert.deepEqual((await store.usage(['b'])).get('b'), { hits: 1, versions: 0 });
    await store.markReviewed('project-a', ['a'], 5);
    await store.update(memory('a', { answer: 'better' }), {
      version: memory('before', { supersededBy: 'a' }),
    });
    const again = await openSqlStore(directory);
    assert.deepEqual([...(await again.reviews('project-a'))], [['a', 5]]);
    assert.deepEqual((await again.usage(['a'])).get('a'), { hits: 1, versions: 1 });
    assert.deepEqual(await again.receipt('k'), receipt('k'));
    assert.deepEqual((await again.state()).notes, []);
    await again.close();
    assert.deepEqual(await ids(directory), ['a', 'b', 'before']);
  });

  it('3 is in memory where schema 2 cannot be brought up to date on disk', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory, { migrations: MIGRATIONS.slice(0, 2) });
    await old.insert(entry('a'));
    const fs = faulty((call, args, proceed) => {
      if (call === 'openSync' && args[1] !== 'r') throw systemError('EROFS');
      return proceed();
    });
    const store = await openSqlStore(directory, { fs });
    assert.equal((await store.get('a'))?.id, 'a');
    assert.deepEqual(await store.episodes({ projects: null, limit: 10 }), []);
    await assert.rejects(insertEpisodes(store, episode(1)), MemoryError);
  });

  it('3 has a view of the episodes, for people who read memory.db with SQL', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory);
    await insertEpisodes(
      store,
      episode(1, { answer: 'TASK: one' }),
      episode(2, { storedAt: 20 }, { project: { key: 'project-b', name: '名前' } }),
      episode(3, { storedAt: 10 }),
      episode(4),
    );
    await store.insert(entry('made of it'), { supersedes: 'episode-2' });
    await store.trash('episode-3', 5);
    await store.purge(['episode-4']);
    await store.close();
    const sqlite = await initSqlJs({ locateFile: () => wasm });
    const database = new sqlite.Database(readFileSync(join(directory, 'memory.db')));
    const [result] = database.exec('SELECT * FROM episodes');
    assert.deepEqual(result?.columns, ['ts', 'namespace', 'project', 'session_id', 'content', 'status']);
    const of = (n: number) => [`/home/me/project of ${n}`, `session-${n}`];
    assert.deepEqual(result.values, [
      [1_700_000_000.25, 'Project A', ...of(1), 'TASK: one', 'ingested'],
      [20, '名前', ...of(2), 'answer of episode-2', 'kept'],
      [10, 'Project A', ...of(3), 'answer of episode-3', 'discarded'],
    ]);
    const since = "SELECT count(*) FROM episodes WHERE ts > 15 AND status <> 'discarded'";
    assert.deepEqual(database.exec(since)[0]?.values, [[2]]);
    database.close();
  });

  it('changes in the middle of the logs when the old snapshot is fallen back to', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory);
    await old.insert(entry('a'));
    await old.snapshot();
    await old.insert(entry('b'));
    const store = await openSqlStore(directory, { migrations: NEWER });
    await store.insert(entry('c'));
    writeFileSync(join(directory, 'memory.db'), 'damaged');
    assert.deepEqual(await ids(directory, NEWER), ['a', 'b', 'c']);
    assert.deepEqual(await ids(directory, NEWER), ['a', 'b', 'c']);
  });

  it('survives a migration that dies at any call', async (t) => {
    const root = temporaryDirectory(t);
    let step = 0;
    for (let died = true; died; step += 1) {
      const directory = join(root, String(step));
      mkdirSync(directory);
      const old = await openSqlStore(directory, { fs: withoutSync });
      await old.insert(entry('a'));
      await old.snapshot();
      await old.insert(entry('b'));
      const dying = dyingAt(step);
      const store = await openSqlStore(directory, { fs: dying.fs, migrations: NEWER });
      died = dying.died();
      await store.insert(entry('c')).catch(() => undefined);
      const found = await ids(directory, NEWER);
      assert.deepEqual(found.slice(0, 2), ['a', 'b'], `killed at call ${step}`);
      assert.equal(readFileSync(join(directory, 'memory.db')).readUInt32BE(60), NEWER.length);
    }
    assert.ok(step > 15, `only ${step} crash points`);
  });

  it('that cannot be brought up to date on disk is not written to, with a purge to finish or without', async (t) => {
    const directory = temporaryDirectory(t);
    const fs = faulty((call, _args, proceed) => {
      if (call === 'renameSync') throw systemError('ENOSPC');
      return proceed();
    });
    const first = await openSqlStore(directory);
    await first.insert(entry('a'));
    await first.insert(entry('b'));
    const old = await openSqlStore(directory, { fs });
    await assert.rejects(old.purge(['b']), /removed, but/);
    const store = await openSqlStore(directory, { fs, migrations: NEWER });
    await assert.rejects(store.insert(entry('c')), /disk is full/);
    assert.deepEqual(await ids(directory, NEWER), ['a']);
  });

  it('that cannot be brought up to date on disk is read, not written', async (t) => {
    const directory = temporaryDirectory(t);
    const old = await openSqlStore(directory);
    await old.insert(entry('a'));
    const before = listing(directory);
    const fs = faulty((call, args, proceed) => {
      if (call === 'openSync' && args[1] !== 'r') throw systemError('EROFS');
      return proceed();
    });
    const store = await openSqlStore(directory, { fs, migrations: NEWER });
    assert.equal((await store.get('a'))?.id, 'a');
    await assert.rejects(store.insert(entry('b')), MemoryError);
    await store.close();
    assert.deepEqual(listing(directory), before);
  });
});
