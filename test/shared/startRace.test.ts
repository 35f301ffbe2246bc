import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { killHost, onlyHost, recordIn } from './hosts.js';
import { scale } from '../scale.js';

const FRONTS = 8;

/** Starts eight fronts at once; each gets a handshake, the list of tools and one row of its own stored. */
async function race(box: Sandbox, round: number): Promise<void> {
  const starts = Array.from({ length: FRONTS }, () => box.start({ env: WITHOUT_MODEL, initialize: false }));
  const fronts = await Promise.all(starts);
  const answers = fronts.map(async (front, at) => {
    await front.initialize();
    const { result } = await front.request('tools/list');
    assert.ok(JSON.stringify(result).includes('"recall"'));
    return front.call('remember', { task: `front ${at} of round ${round}`, answer: 'x' });
  });
  for (const { stored } of await Promise.all(answers)) assert.equal(stored, true);

  const pid = await onlyHost(box);
  assert.equal(recordIn(box.storage).pid, pid);
  for (const front of fronts) {
    assert.equal((await front.call('stats')).total_entries, FRONTS * (round + 1));
  }
  await Promise.all(fronts.map((front) => front.end()));
}

test('eight fronts started at once share one host: on an empty directory, and after its host was killed', async (t) => {
  const box = new Sandbox(t, 'shared');
  for (let round = 0; round < scale.startRaces; round += 1) {
    if (round > 0) await killHost(box);
    await race(box, round);
  }
});
