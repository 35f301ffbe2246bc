import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aSession, keeping, someTurns } from './episodeFixture.js';
import { openBench, PROJECT } from './fixture.js';

describe('an episode that grows while a memory is made of it', () => {
  it('is kept as it has become, so that no turn is lost in its history', async () => {
    const bench = await openBench();
    await bench.engine.ingest(aSession(someTurns(1, 1)));
    bench.embedder.hold();
    const keeps = bench.engine.keep(keeping('episode-1'));
    await bench.engine.ingest(aSession(someTurns(2, 2)));
    bench.embedder.release();
    const { entry_id = '' } = await keeps;
    const { answer } = await bench.engine.get({ id: entry_id, project: PROJECT, scope: 'project' });
    assert.match(answer, /outcome 1[^]*outcome 2/);
  });
});
