import assert from 'node:assert/strict';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Sandbox, type Mode } from '../server/sandbox.js';
import { AgentSession } from './agentSession.js';
import { assertNoBriefHolds, briefsHold } from './briefFolder.js';
import { killHost, recordIn } from './hosts.js';
import { episodesAre, review, REVIEWING } from './reviewer.js';

const MODES: readonly Mode[] = ['shared', 'standalone'];
const MEMORY = { task: 'Where do releases come from', answer: 'From the branch stable.' };
const FENCED = /^<<<memory ([0-9a-f]{16})>>>\n(.*)\n<<<end of memory \1>>>$/ms;

describe('what a session is told at its start', { concurrency: true }, () => {
  for (const mode of MODES) {
    test(`is what was remembered and captured, and nothing that was taken back (${mode})`, async (t) => {
      const box = new Sandbox(t, mode);
      const server = await box.start({ env: REVIEWING });
      const session = new AgentSession(box);
      assert.equal(await session.start(), '');
      const { entry_id } = await server.call('remember', MEMORY);
      await session.captures('How is the cart emptied?', 'With DELETE /cart.');
      await briefsHold(box, MEMORY.answer, 'With DELETE /cart.');

      const told = await new AgentSession(box).start();
      const fenced = FENCED.exec(told)?.[2]?.split('\n- ') ?? [];
      assert.equal(fenced.length, 2, told);
      assert.match(fenced[0] ?? '', /episode.*How is the cart emptied\?.*With DELETE \/cart\./s);
      assert.match(fenced[1] ?? '', /memory.*Where do releases come from.*From the branch stable\./s);

      await server.call('forget', { entry_id });
      assertNoBriefHolds(box, MEMORY.answer);
      await briefsHold(box, 'DELETE /cart');
      const less = await new AgentSession(box).start();
      assert.match(less, /With DELETE \/cart\./);
      assert.doesNotMatch(less, /stable/);

      const [{ entry_id: episode } = { entry_id: '' }] = await episodesAre(server, 1);
      await review(server, 'discard', { entry_ids: [episode] });
      assertNoBriefHolds(box, 'DELETE /cart');
      assert.equal(await new AgentSession(box).start(), '');
      await review(server, 'restore', { entry_ids: [episode] });
      await briefsHold(box, 'DELETE /cart');
      assert.match(await new AgentSession(box).start(), /With DELETE \/cart\./);
    });

    test(`is written nowhere once the storage directory is deleted (${mode})`, async (t) => {
      const box = new Sandbox(t, mode);
      const server = await box.start({ env: REVIEWING });
      await new AgentSession(box).captures('How is the cart emptied?', 'With DELETE /cart.');
      await briefsHold(box, 'With DELETE /cart.');
      await server.call('remember', MEMORY);
      // The brief is due now. At once, as no deletion of many files is.
      renameSync(box.storage, join(box.root, 'deleted'));
      // The one wait that is meant: that nothing happens is not announced.
      await sleep(1500);
      assert.equal(existsSync(box.storage), false);
      await server.end();
      assert.equal(existsSync(box.storage), false);
    });
  }

  test('holds nothing that was forgotten just before the host died', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    await server.call('remember', MEMORY);
    for (const secret of ['one', 'two', 'three'].map((name) => `forgotten-${name}`)) {
      const { entry_id } = await server.call('remember', { task: secret, answer: 'x' });
      await briefsHold(box, secret);
      const { pid } = recordIn(box.storage);
      await server.call('forget', { entry_id });
      await killHost(box, pid);
      assertNoBriefHolds(box, secret);
      // Starts the next one.
      assert.equal((await server.call('recall', { task: secret })).hit, false);
      await briefsHold(box, MEMORY.answer);
      const told = await new AgentSession(box).start();
      assert.match(told, /From the branch stable\./);
      assert.doesNotMatch(told, /forgotten-/);
    }
  });

  test('is nothing again when all that was known has been forgotten and the host died', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    const { entry_id } = await server.call('remember', MEMORY);
    await briefsHold(box, MEMORY.answer);
    await server.call('forget', { entry_id });
    await killHost(box);
    assert.equal(await new AgentSession(box).start(), '');
    await server.call('stats');
    assertNoBriefHolds(box, MEMORY.answer);
    assert.equal(await new AgentSession(box).start(), '');
  });
});
