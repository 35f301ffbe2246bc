import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isToolFailure, saysGone } from '../../src/extension/documents/serverFailures.js';
import { ToolFailure } from '../../src/mcp/failures.js';
import { keeping } from '../core/episodeFixture.js';
import { openBench, OTHER_PROJECT, PROJECT, rememberId } from '../core/fixture.js';

const OWN = { key: PROJECT, name: 'a' };
const bench = await openBench();
const { engine } = bench;

/** What a tool says that fails like this. */
async function failureOf(act: Promise<unknown>): Promise<ToolFailure> {
  const error: unknown = await act.then(
    () => assert.fail('it did not fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return new ToolFailure(error.message);
}

const editing = (id: string, project = PROJECT) => ({ id, project, anyProject: false, answer: 'x' });

describe('a failure of the server', () => {
  it('says that something is gone where there is no such entry', async () => {
    assert.equal(saysGone(await failureOf(engine.details('gone', OWN))), true);
    assert.equal(saysGone(await failureOf(engine.update(editing('gone')))), true);
    assert.equal(saysGone(await failureOf(engine.episode('gone', null))), true);
    assert.equal(saysGone(await failureOf(engine.keep(keeping('gone')))), true);
  });

  it('does not say so where there is one that cannot be reached or changed', async () => {
    const id = await rememberId(bench, 'task');
    assert.equal(saysGone(await failureOf(engine.update(editing(id, OTHER_PROJECT)))), false);
    await engine.forget(id, PROJECT);
    assert.equal(saysGone(await failureOf(engine.update(editing(id)))), false);
  });

  it('does not say so where it is no answer of a tool, whatever the words', () => {
    const words = 'No entry 1: it never was there.';
    for (const error of [new Error(words), words, undefined, { name: 'ToolFailure', message: words }]) {
      assert.equal(saysGone(error), false);
      assert.equal(isToolFailure(error), false);
    }
    assert.equal(isToolFailure(new ToolFailure(words)), true);
  });
});
