import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { EpisodeListing } from '../../src/core/episodes.js';
import { Sandbox, type Mode } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { AgentSession } from './agentSession.js';
import { hookLog, inbox, inboxIsEmpty } from './hookProcess.js';
import { hostsOf, onlyHost } from './hosts.js';
import { episodesAre, review, REVIEWING } from './reviewer.js';
import { ENTRIES, Watcher } from './watcher.js';

const MODES: readonly Mode[] = ['shared', 'standalone'];

for (const mode of MODES) {
  describe(`a turn that was captured (${mode})`, { concurrency: true }, () => {
    test('is an episode at once where somebody serves, and who has subscribed is told', async (t) => {
      const box = new Sandbox(t, mode);
      const watcher = await Watcher.of(await box.connect({ env: REVIEWING }), ENTRIES);
      const session = new AgentSession(box);
      await session.captures('How is the cart emptied?', 'With DELETE /cart.');
      await watcher.hears([ENTRIES], 5);
      assert.deepEqual(await watcher.tasks(), ['How is the cart emptied?']);

      const { structuredContent } = await watcher.client.callTool({ name: 'episodes', arguments: {} });
      // The client has checked it against the output schema.
      const { counts, episodes } = structuredContent as EpisodeListing;
      assert.deepEqual(counts, { pending: 0, ingested: 1, kept: 0, discarded: 0 });
      const [{ entry_id, session_id, directory, project, turns, outcome } = {}] = episodes;
      assert.deepEqual(
        { entry_id, session_id, directory, project, turns, outcome },
        {
          entry_id: 'episode-1',
          session_id: session.id,
          directory: box.project,
          project: 'project',
          turns: 1,
          outcome: 'With DELETE /cart.',
        },
      );
      await inboxIsEmpty(box);
      assert.deepEqual(hookLog(box), []);
    });

    test('is taken up at the next start where nobody serves', async (t) => {
      const box = new Sandbox(t, mode);
      // One in a home without a memory, and one after a memory was closed.
      await new AgentSession(box).captures('before anything', 'one');
      assert.equal(inbox(box).length, 1);
      const first = await box.start({ env: REVIEWING });
      await episodesAre(first, 1);
      await first.end();
      if (mode === 'shared') process.kill(await onlyHost(box), 'SIGTERM');
      await until('nobody serves', () => hostsOf(box).length === 0);

      await new AgentSession(box).captures('between two', 'two');
      assert.equal(inbox(box).length, 1);
      const next = await box.start({ env: REVIEWING });
      const tasks = (await episodesAre(next, 2)).map(({ task_text }) => task_text);
      assert.deepEqual(tasks, ['between two', 'before anything']);
      await inboxIsEmpty(box);
    });
  });
}

test('a session of 25 turns is one episode of its last 20, and saying it again adds nothing', async (t) => {
  const box = new Sandbox(t, 'shared');
  const server = await box.start({ env: REVIEWING });
  const session = new AgentSession(box);
  for (let turn = 1; turn <= 25; turn += 1) await session.captures(`question ${turn}`, `answer ${turn}`);
  const last = async () => (await review(server, 'episodes')).episodes[0]?.outcome;
  await until('the last turn is there', async () => (await last()) === 'answer 25');
  const [{ entry_id, task_text } = {}] = await episodesAre(server, 1);
  assert.equal(task_text, 'question 1');
  const episode = await review(server, 'get_episode', { entry_id });
  assert.deepEqual(
    episode.turns.map(({ task, outcome }) => [task, outcome]),
    Array.from({ length: 20 }, (_, at) => [`question ${at + 6}`, `answer ${at + 6}`]),
  );

  await session.stop();
  await session.end();
  await inboxIsEmpty(box);
  // What comes after them has been taken up, so these have.
  await new AgentSession(box).captures('another session', 'x');
  await episodesAre(server, 2);
  assert.deepEqual(await review(server, 'get_episode', { entry_id }), episode);
  assert.deepEqual(hookLog(box), []);
});
