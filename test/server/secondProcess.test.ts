import assert from 'node:assert/strict';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';

const ROW = { task: 'owned by the first', answer: 'x' };

for (const how of ['leaves', 'is killed'] as const) {
  test(`a second server on the same store names the owner, and works once that one ${how}`, async (t) => {
    const box = new Sandbox(t);
    const first = await box.start({ env: WITHOUT_MODEL });
    await first.call('remember', ROW);

    const second = await box.start({ env: WITHOUT_MODEL });
    assert.ok((await second.request('tools/list')).result);
    for (const [tool, args] of [
      ['stats', {}],
      ['recall', { task: ROW.task }],
      ['remember', { ...ROW, task: 'by the second' }],
    ] as const) {
      const sentence = await second.refusal(tool, args);
      assert.match(sentence, new RegExp(`\\b${first.pid}\\b`), tool);
      assert.ok(sentence.includes(box.storage), 'the directory is named');
    }
    assert.equal((await first.call('stats')).total_entries, 1, 'the owner is not disturbed');

    if (how === 'leaves') await first.end();
    else await first.kill();
    assert.equal((await second.call('recall', { task: ROW.task })).hit, true);
    assert.equal((await second.call('remember', { ...ROW, task: 'by the second' })).stored, true);

    const third = await box.start({ env: WITHOUT_MODEL });
    assert.match(await third.refusal('stats'), new RegExp(`\\b${second.pid}\\b`));
  });
}

test('of several servers started at once exactly one gets the store', async (t) => {
  const box = new Sandbox(t);
  const servers = await Promise.all(Array.from({ length: 4 }, () => box.start({ env: WITHOUT_MODEL })));
  const results = await Promise.all(
    servers.map((server, at) => server.callTool('remember', { task: `race ${at}`, answer: 'x' })),
  );
  assert.equal(results.filter(({ isError }) => isError !== true).length, 1);
});

test('another storage directory is another store', async (t) => {
  const box = new Sandbox(t);
  const first = await box.start({ env: WITHOUT_MODEL });
  await first.call('remember', ROW);
  const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: box.folder('elsewhere') };
  assert.equal((await (await box.start({ env })).call('stats')).total_entries, 0);
});

test('a copy of a store in use is refused, and the refusal tells how to open the copy', async (t) => {
  const box = new Sandbox(t);
  const server = await box.start({ env: WITHOUT_MODEL });
  await server.call('remember', { task: 'Copied while in use', answer: 'x' });
  const copy = join(box.root, 'copy');
  cpSync(box.storage, copy, { recursive: true });
  const second = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: copy } });
  const refusal = await second.refusal('stats');
  const owner = readdirSync(copy).find((name) => name.startsWith('owner.')) ?? '';
  assert.ok(refusal.includes(`delete ${join(copy, owner)} in the copy`), refusal);
  rmSync(join(copy, owner));
  assert.equal((await second.call('stats')).total_entries, 1);
});
