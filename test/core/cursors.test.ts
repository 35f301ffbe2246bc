import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MemoryError } from '../../src/core/errors.js';
import { openBench, PROJECT, type Bench } from './fixture.js';

const OWN = { key: PROJECT, name: 'Project A' };

/** Every list that gives cursors. */
const LISTS: Record<string, (bench: Bench, cursor: string) => Promise<unknown>> = {
  list: ({ engine }, cursor) => engine.list({ project: PROJECT, limit: 1, cursor }),
  browse: ({ engine }, cursor) => engine.browse({ own: OWN, hidden: false, limit: 1, cursor }),
  trash: ({ engine }, cursor) => engine.trash({ own: OWN, limit: 1, cursor }),
  episodes: ({ engine }, cursor) => engine.episodes({ project: null, limit: 1, cursor }),
};

const ODD = [
  '[1e999,1,"id"]',
  '[1,-1e999,"id"]',
  '[1e999,"id"]',
  '[-1e999,"id"]',
  '[1e999,1]',
  '[1,1e999]',
  '[NaN,1]',
  '[NaN,"id"]',
  '[null,"id"]',
  '["1","id"]',
  '{"0":1}',
  'null',
  '"ab"',
  '',
];

for (const [name, ask] of Object.entries(LISTS)) {
  describe(`a cursor that ${name} never gave`, () => {
    for (const cursor of ODD) {
      it(`is refused: ${cursor || 'nothing'}`, async () => {
        const bench = await openBench();
        await assert.rejects(ask(bench, cursor), (error) => {
          assert.ok(error instanceof MemoryError && error.reason === 'invalid', String(error));
          assert.match(error.message, /^cursor: .*Leave it out/);
          return true;
        });
      });
    }
  });
}
