import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { aSession, aTurn, keeping } from './episodeFixture.js';
import { asking, openBench, PROJECT, rememberId, storing, type Bench } from './fixture.js';

const tagsOf = async ({ store }: Bench, id: string) => (await store.get(id))?.tags;
const update = ({ engine }: Bench, id: string, tags: readonly string[]) =>
  engine.update({ id, project: PROJECT, anyProject: false, tags });

/** Each way to hand in tags, for an entry that is there; it answers with the tags of that or of the new entry. */
const WAYS: Record<
  string,
  (bench: Bench, tags: readonly string[]) => Promise<readonly string[] | undefined>
> = {
  remember: async (bench, tags) => tagsOf(bench, await rememberId(bench, 'the task', { tags })),
  update: async (bench, tags) => {
    const id = await rememberId(bench, 'the task');
    await update(bench, id, tags);
    return tagsOf(bench, id);
  },
  keep: async (bench, tags) => {
    await bench.engine.ingest(aSession([aTurn(1)]));
    const { entry_id = '' } = await bench.engine.keep(keeping('episode-1', { tags }));
    return tagsOf(bench, entry_id);
  },
};

for (const [name, given] of Object.entries(WAYS)) {
  describe(`tags that are given to ${name}`, () => {
    it('are stored without space around them, each once, and without the empty ones', async () => {
      const bench = await openBench();
      const tags = [' one ', '', 'two words', '  ', 'one\n', '\u3000', '\t', 'タグ'];
      assert.deepEqual(await given(bench, tags), ['one', 'two words', 'タグ']);
    });

    it('are refused with a line break or another control character, and nothing is written', async () => {
      for (const odd of [
        'two\nlines',
        'a\rb',
        '\0',
        'a\u001b[31m',
        'a\u007f',
        'a\u0085b',
        'a\u2028b',
        'a\tb',
      ]) {
        const bench = await openBench();
        await assert.rejects(given(bench, ['fine', odd]), (error) => {
          assert.ok(error instanceof MemoryError && error.reason === 'invalid', JSON.stringify(odd));
          assert.match(error.message, /^tags: number 2 has a line break or another control character/);
          assert.match(error.message, name === 'update' ? /Nothing was changed/ : /Nothing was stored/);
          return true;
        });
        const tagged = await bench.engine.list({ project: PROJECT, limit: 10 });
        assert.ok(tagged.entries.every(({ tags }) => !tags.includes('fine')));
      }
    });
  });
}

describe('tags of an older store', () => {
  const odd = ['two\nlines', '', ' x '];

  it('stay as they are where an edit says them again', async () => {
    const bench = await openBench({ rows: [{ id: 'old', tags: odd }] });
    await update(bench, 'old', [...odd, ' new ']);
    assert.deepEqual(await tagsOf(bench, 'old'), [...odd, 'new']);
    await assert.rejects(update(bench, 'old', ['other\nlines']), /number 1/);
  });

  it('are no reason to refuse the same answer once more', async () => {
    const bench = await openBench({ rows: [{ id: 'old', task: 'the task', answer: 'same', tags: odd }] });
    const { refreshed } = await bench.engine.remember(storing('the task', { answer: 'same', tags: ['new'] }));
    assert.deepEqual([refreshed, await tagsOf(bench, 'old')], [true, [...odd, 'new']]);
  });
});

describe('a filter by tags', () => {
  it('finds what was stored under a tag with space around it', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task', { tags: [' one '] });
    assert.equal((await bench.engine.recall(asking('the task', { tags: [' one '] }))).entry_id, id);
  });

  it('still finds the tag with space around it of an older store', async () => {
    const bench = await openBench({ rows: [{ id: 'old', task: 'the task', tags: [' one '] }] });
    assert.equal((await bench.engine.recall(asking('the task', { tags: [' one '] }))).entry_id, 'old');
  });
});
