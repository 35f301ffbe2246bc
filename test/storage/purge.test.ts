import assert from 'node:assert/strict';
import { linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import type { MemoryStore } from '../../src/core/ports.js';
import { openSqlStore } from '../../src/storage/sqlStore.js';
import { openBench, PROJECT, storing } from '../core/fixture.js';
import { collect, entry, memory, recall, receipt, temporaryDirectory, vector } from './builders.js';
import { episode, insertEpisodes, turn } from './episodeBuilders.js';
import { faulty, systemError, withoutSync } from './faults.js';

const SECRET = 'xyzzy-plugh';

function filesWith(directory: string, text: string): string[] {
  return readdirSync(directory).filter((name) => readFileSync(join(directory, name)).includes(text));
}

function namesIn(path: string): string[] {
  return readFileSync(path, 'latin1').match(/row\d+row/g) ?? [];
}

/** Rows with the secret text in every place it can get to, small and large, in all four files. */
async function storeWithSecrets(directory: string, fs = withoutSync): Promise<MemoryStore> {
  const store = await openSqlStore(directory, { fs });
  for (let n = 0; n < 60; n += 1) await store.insert(entry(`keep-${n}`, {}, vector(n, 'model-a', 384)));
  const result = `{"entry_id":"secret-1","text":"${SECRET}"}`;
  await store.insert(entry('secret-1', { task: SECRET }, vector(1, 'model-a', 384)), {
    receipt: receipt('k', 1, result),
  });
  await store.snapshot();
  await store.insert(entry('secret-2', { answer: `${SECRET} `.repeat(3000), tags: [SECRET] }));
  for (let n = 60; n < 120; n += 1) await store.insert(entry(`keep-${n}`));
  await store.snapshot();
  await store.update(memory('secret-1', { task: `${SECRET} again` }));
  await store.appendRecall(recall(1, { query: SECRET, entryId: 'secret-1' }), 1e6);
  await store.snapshot();
  await store.trash('secret-1', 5);
  assert.equal(filesWith(directory, SECRET).length, 3);
  return store;
}

describe('purge', () => {
  it('leaves no byte of the text in any file', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await storeWithSecrets(directory);
    assert.equal(await store.purge(['secret-1', 'secret-2']), 2);
    assert.deepEqual(filesWith(directory, SECRET), []);
    assert.deepEqual(filesWith(directory, 'secret-'), []);
    await store.close();
    const again = await openSqlStore(directory);
    assert.equal((await collect(again.all('model-a'))).length, 120);
    assert.deepEqual((await again.state()).notes, []);
  });

  it('in several steps leaves no byte in any file after the last one, also where the process died before it', async (t) => {
    for (const dies of [false, true]) {
      const directory = temporaryDirectory(t);
      const store = await storeWithSecrets(directory);
      assert.equal(await store.purge(['secret-1'], { more: true }), 1);
      assert.notDeepEqual(filesWith(directory, SECRET), [], 'nothing was cleaned yet');
      if (dies) {
        const next = await openSqlStore(directory, { fs: withoutSync });
        assert.deepEqual(filesWith(directory, 'secret-1'), []);
        await next.purge(['secret-2']);
      } else await store.purge(['secret-2'], { more: false });
      assert.deepEqual(filesWith(directory, SECRET), []);
    }
  });

  it('of an emptied trash leaves no byte of what an entry was before it was edited', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory, { fs: withoutSync });
    const { engine } = await openBench({ store });
    const { entry_id: id = '' } = await engine.remember(storing(`${SECRET} one`, { answer: SECRET }));
    await engine.remember(storing('kept'));
    for (const [n, keepVersion] of [true, false, true].entries()) {
      await store.snapshot();
      const call = { key: `call ${n}`, digest: 'digest', repeatedSince: null };
      const task = `${SECRET} edit ${n}`;
      await engine.update({
        id,
        project: PROJECT,
        anyProject: false,
        task,
        tags: [SECRET],
        keepVersion,
        call,
      });
    }
    await engine.update({ id, project: PROJECT, anyProject: false, task: 'harmless', answer: '', tags: [] });
    await store.snapshot();
    await engine.forget(id, PROJECT);
    assert.notDeepEqual(filesWith(directory, SECRET), []);
    assert.equal(await engine.emptyTrash({ dryRun: false }), 4);
    await engine.tidy();
    assert.deepEqual(filesWith(directory, SECRET), []);
    await engine.close();
    const again = await openSqlStore(directory);
    assert.equal((await collect(again.all('model-a'))).length, 1);
    assert.deepEqual(filesWith(directory, SECRET), []);
    await again.close();
  });

  it('of an emptied trash leaves no byte where the process ends, or dies, before the files are cleaned', async (t) => {
    for (const dies of [true, false]) {
      const directory = temporaryDirectory(t);
      const store = await openSqlStore(directory, { fs: withoutSync });
      const { engine } = await openBench({ store });
      const { entry_id: id = '' } = await engine.remember(storing(SECRET, { answer: SECRET }));
      await store.snapshot();
      await engine.forget(id, PROJECT);
      assert.equal(await engine.emptyTrash({ dryRun: false }), 1);
      assert.notDeepEqual(filesWith(directory, SECRET), []);
      if (dies) await (await openSqlStore(directory, { fs: withoutSync })).close();
      else await engine.close();
      assert.deepEqual(filesWith(directory, SECRET), []);
    }
  });

  it('leaves no byte of an episode in any file: texts, turns, session, folder', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory, { fs: withoutSync });
    const turns = [turn(1, { id: SECRET, outcome: `${SECRET} `.repeat(600) })];
    const project = { key: 'project-a', name: SECRET };
    const record = { project, directory: `/${SECRET}`, sessionId: SECRET, turns };
    await insertEpisodes(store, episode(1, { answer: SECRET }, record), episode(2));
    await store.snapshot();
    const grown = episode(1, { answer: `${SECRET} again` }, { ...record, turns: [...turns, turn(2)] });
    await store.update(grown.memory, { episode: grown.record });
    await store.trash('episode-1', 5);
    await store.snapshot();
    assert.equal(filesWith(directory, SECRET).length, 3);
    assert.equal(await store.purge(['episode-1']), 1);
    assert.deepEqual(filesWith(directory, SECRET), []);
    const again = await openSqlStore(directory);
    assert.deepEqual(await again.episodes({ projects: null, limit: 10 }), [episode(2)]);
    assert.equal(await again.nextEpisode(), 3);
  });

  it('does not give the number of an episode again, through every file it is in', async (t) => {
    const directory = temporaryDirectory(t);
    let store = await openSqlStore(directory, { fs: withoutSync });
    for (let number = 1; number <= 6; number += 1) {
      assert.equal(await store.nextEpisode(), number);
      await insertEpisodes(store, episode(number));
      if (number % 3 === 0) await store.snapshot();
      await store.purge([`episode-${number}`]);
      if (number % 2 === 0) {
        await store.close();
        store = await openSqlStore(directory, { fs: withoutSync });
      }
    }
    writeFileSync(join(directory, 'memory.db'), 'damaged');
    assert.equal(await (await openSqlStore(directory, { fs: withoutSync })).nextEpisode(), 7);
  });

  it('leaves none in the unused parts of pages, whatever was moved about before', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await openSqlStore(directory, { fs: withoutSync });
    const ids = Array.from({ length: 900 }, (_, n) => `row${n}row`);
    for (const [n, id] of ids.entries()) {
      await store.insert(entry(id, { answer: `${id} `.repeat((n * 37) % 400) }));
      const earlier = ids[(n * 7) % (n + 1)] ?? id;
      await store.update(memory(earlier, { answer: `${earlier} `.repeat((n * 53) % 300) }));
    }
    const gone = ids.filter((_id, n) => n % 2 === 0);
    for (let n = 0; n < gone.length; n += 150) await store.purge(gone.slice(n, n + 150));
    const left = new Set(readdirSync(directory).flatMap((name) => namesIn(join(directory, name))));
    assert.deepEqual([...left].sort(), ids.filter((id) => !gone.includes(id)).sort());
  });

  it('leaves a spare that the store can be restored from', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await storeWithSecrets(directory);
    await store.purge(['secret-1', 'secret-2']);
    await store.insert(entry('after'));
    writeFileSync(join(directory, 'memory.db'), 'damaged');
    const again = await openSqlStore(directory);
    assert.equal((await collect(again.all('model-a'))).length, 121);
  });

  it('takes the text out of damaged files that were set aside, and leaves others', async (t) => {
    const directory = temporaryDirectory(t);
    const store = await storeWithSecrets(directory);
    linkSync(join(directory, 'memory.db'), join(directory, 'memory.db.damaged-2026-01-01T000000.000Z'));
    writeFileSync(join(directory, 'changes.log.damaged-2026-01-01T000000.000Z'), 'something else');
    await store.purge(['secret-1', 'secret-2']);
    assert.deepEqual(filesWith(directory, SECRET), []);
    assert.equal((await store.state()).notes.length, 1);
  });

  it('says so where the text is still on disk, and takes it out with the next snapshot', async (t) => {
    const directory = temporaryDirectory(t);
    let full = false;
    const fs = faulty((call, _args, proceed) => {
      if (full && call === 'renameSync') throw systemError('ENOSPC');
      return proceed();
    });
    const store = await storeWithSecrets(directory, fs);
    full = true;
    await assert.rejects(
      store.purge(['secret-1', 'secret-2']),
      (error) => error instanceof MemoryError && /removed, but.*still in old files/.test(error.message),
    );
    assert.equal(await store.get('secret-1'), null);
    assert.notDeepEqual(filesWith(directory, SECRET), []);
    full = false;
    await store.snapshot();
    assert.deepEqual(filesWith(directory, SECRET), []);
  });

  it('is finished by the next process where a damaged file set aside could not be removed', async (t) => {
    const directory = temporaryDirectory(t);
    let held = true;
    const fs = faulty((call, args, proceed) => {
      if (held && call === 'unlinkSync' && String(args[0]).includes('.damaged-')) throw systemError('EPERM');
      return proceed();
    });
    const store = await storeWithSecrets(directory, fs);
    const aside = 'memory.db.damaged-2026-01-01T000000.000Z';
    linkSync(join(directory, 'memory.db'), join(directory, aside));
    await assert.rejects(store.purge(['secret-1', 'secret-2']), /still in old files.*next snapshot/);
    await assert.rejects(store.snapshot(), MemoryError);
    assert.deepEqual(filesWith(directory, SECRET), [aside]);
    held = false;
    const next = await openSqlStore(directory);
    assert.deepEqual(filesWith(directory, SECRET), []);
    assert.equal((await collect(next.all('model-a'))).length, 120);
    assert.deepEqual((await next.state()).notes, []);
  });

  it('is finished by the next process when this one dies in the middle', async (t) => {
    const directory = temporaryDirectory(t);
    let dead = false;
    const fs = faulty((call, args, proceed) => {
      dead ||= call === 'renameSync' && String(args[1]).endsWith('memory.previous.db') && purging;
      if (dead) throw systemError('EKILLED');
      return proceed();
    });
    let purging = false;
    const store = await storeWithSecrets(directory, fs);
    purging = true;
    await assert.rejects(store.purge(['secret-1', 'secret-2']));
    assert.notDeepEqual(filesWith(directory, SECRET), []);
    const next = await openSqlStore(directory);
    assert.deepEqual(filesWith(directory, SECRET), []);
    assert.equal((await collect(next.all('model-a'))).length, 120);
  });
});
