import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/core/memory.js';
import { asking, openBench, OTHER_PROJECT } from './fixture.js';
import { WordEmbedder } from './wordEmbedder.js';

const INVALID: Readonly<Record<string, Partial<Memory>>> = {
  expired: { expiresAt: 10 },
  'episode of the project': { kind: 'episode' },
  superseded: { supersededBy: 'successor' },
  "another project's": { project: OTHER_PROJECT },
  'wrongly tagged': { tags: ['other'] },
};

describe('recall among rows that do not count', () => {
  for (const [name, invalid] of Object.entries(INVALID)) {
    it(`never answers with an ${name} row, be it the identical text`, async () => {
      const bench = await openBench({ rows: [{ task: 'question', ...invalid }] });
      const result = await bench.engine.recall(asking('question', { threshold: 0, tags: ['wanted'] }));
      assert.deepEqual([result.hit, result.similarity, result.nearest], [false, 0, undefined]);
    });

    it(`finds the valid row behind 500 nearer ones that are ${name}`, async () => {
      const embedder = new WordEmbedder();
      const nearer = Array.from({ length: 500 }, (_, n) => ({ task: `nearer ${n}`, ...invalid }));
      for (const { task } of nearer) embedder.place(task, { question: 0.99 });
      embedder.place('valid', { question: 0.86 });
      const rows = [...nearer, { id: 'valid', task: 'valid', tags: ['wanted'] }];
      const bench = await openBench({ embedder, rows });
      for (const topK of [1, 100]) {
        const result = await bench.engine.recall(asking('question', { topK, tags: ['wanted'] }));
        assert.deepEqual([result.entry_id, result.similarity], ['valid', 0.86]);
      }
    });
  }

  it('stops answering at the very second an entry expires', async () => {
    const bench = await openBench({ rows: [{ task: 'question', expiresAt: 2000 }] });
    bench.sources.time = 1999.999;
    assert.equal((await bench.engine.recall(asking('question'))).hit, true);
    bench.sources.time = 2000;
    assert.equal((await bench.engine.recall(asking('question'))).hit, false);
  });
});
