import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CurrentSession, type ServerState } from '../../src/extension/currentSession.js';

interface Start {
  readonly comesUp: () => void;
  readonly fails: (words: string) => void;
  readonly ends: () => void;
  readonly session: { readonly name: string; closed: boolean; close(): Promise<void> };
}

/** A window whose servers come up, fail and end when a test says so. */
function someWindow() {
  const starts: Start[] = [];
  const states: ServerState[] = [];
  const failures: string[] = [];
  let ends = 0;
  let time = 0;
  let lose: () => void = () => undefined;
  const server = new CurrentSession<Start['session']>({
    start: (onClosed) =>
      new Promise((resolve, reject) => {
        const session = {
          name: `server ${starts.length + 1}`,
          closed: false,
          close() {
            this.closed = true;
            return Promise.resolve();
          },
        };
        starts.push({
          comesUp: () => resolve(session),
          fails: (words) => reject(new Error(words)),
          ends: onClosed,
          session,
        });
      }),
    onState: (state) => states.push(state),
    onFailure: ({ message }) => failures.push(message),
    onEnded: () => (ends += 1),
    endedTooOften: () => new Error('too often'),
    patience: () => new Promise((resolve) => (lose = resolve)),
    now: () => (time += 1),
  });
  const begun = async (count: number) => {
    while (starts.length < count) await new Promise(setImmediate);
    return starts[count - 1] as Start;
  };
  return { server, starts, states, failures, begun, endings: () => ends, losePatience: () => lose() };
}

/** Lets everything happen that can happen by itself. */
const settle = async () => {
  for (let round = 0; round < 3; round += 1) await new Promise(setImmediate);
};

describe('the server of a window', () => {
  it('is started by the first who asks, once for all who ask meanwhile', async () => {
    const { server, starts, states, begun } = someWindow();
    await settle();
    assert.deepEqual([starts.length, states], [0, []]);
    const asked = [server.get(), server.get()];
    (await begun(1)).comesUp();
    const [one, other] = await Promise.all(asked);
    assert.equal(one, other);
    assert.equal(await server.get(), one);
    assert.deepEqual([starts.length, states], [1, ['starting', 'ready']]);
  });

  it('is not tried again after a failure, which is said once, until it is left', async () => {
    const { server, starts, states, failures, begun } = someWindow();
    const asked = [server.get(), server.get()];
    (await begun(1)).fails('no such file');
    for (const each of asked) await assert.rejects(each, /no such file/);
    await assert.rejects(server.get(), /no such file/);
    assert.deepEqual([starts.length, failures], [1, ['no such file']]);
    assert.deepEqual([server.failure?.message, server.isWanted], ['no such file', false]);
    server.leave();
    assert.equal(server.failure, null);
    const again = server.get();
    (await begun(2)).comesUp();
    assert.equal((await again).name, 'server 2');
    assert.deepEqual(states, ['starting', 'failed', undefined, 'starting', 'ready']);
  });

  it('that comes up after it was left is closed, and who waited for it gets the next one', async () => {
    const { server, starts, failures, states, begun } = someWindow();
    const asked = server.get();
    const first = await begun(1);
    server.leave();
    const later = server.get();
    first.comesUp();
    (await begun(2)).comesUp();
    assert.deepEqual([(await asked).name, (await later).name], ['server 2', 'server 2']);
    await settle();
    assert.deepEqual(
      starts.map(({ session }) => session.closed),
      [true, false],
    );
    assert.deepEqual(failures, []);
    assert.deepEqual(states, ['starting', undefined, 'starting', 'ready']);
  });

  it("that fails after it was left is nobody's failure", async () => {
    const { server, failures, states, begun, losePatience } = someWindow();
    const asked = server.get();
    const first = await begun(1);
    server.leave();
    const later = server.get();
    losePatience();
    (await begun(2)).comesUp();
    await later;
    first.fails('of the past');
    assert.equal((await asked).name, 'server 2');
    await settle();
    assert.deepEqual([failures, server.failure, states.at(-1)], [[], null, 'ready']);
  });

  it('that ends after it was left ends nothing', async () => {
    const { server, starts, begun, endings } = someWindow();
    const asked = server.get();
    const first = await begun(1);
    first.comesUp();
    await asked;
    server.leave();
    const later = server.get();
    (await begun(2)).comesUp();
    await later;
    first.ends();
    assert.equal((await server.get()).name, 'server 2');
    assert.deepEqual([starts.length, endings()], [2, 0]);
  });

  it('is started when the one before is gone, or when that takes too long', async () => {
    const { server, starts, begun, losePatience } = someWindow();
    const asked = server.get();
    const first = await begun(1);
    server.leave();
    const later = server.get();
    await settle();
    assert.equal(starts.length, 1);
    losePatience();
    (await begun(2)).comesUp();
    assert.equal((await later).name, 'server 2');
    first.comesUp();
    await asked;
    await settle();
    assert.deepEqual(
      starts.map(({ session }) => session.closed),
      [true, false],
    );
  });

  it('that was left before it had begun is never started', async () => {
    const { server, starts, begun } = someWindow();
    const first = server.get();
    (await begun(1)).comesUp();
    await first;
    server.leave();
    const second = server.get();
    server.leave();
    const third = server.get();
    (await begun(2)).comesUp();
    assert.equal(await second, await third);
    await settle();
    assert.equal(starts.length, 2);
  });

  it('is followed by another one three times within a minute; then that is said once', async () => {
    const { server, starts, failures, begun, endings } = someWindow();
    for (let count = 1; count <= 4; count += 1) {
      const asked = server.get();
      const start = await begun(count);
      start.comesUp();
      await asked;
      start.ends();
    }
    await assert.rejects(server.get(), /too often/);
    await assert.rejects(server.get(), /too often/);
    assert.deepEqual([starts.length, endings(), failures], [4, 4, ['too often']]);
    server.leave();
    const asked = server.get();
    const start = await begun(5);
    start.comesUp();
    await asked;
    start.ends();
    assert.equal(server.failure, null);
  });

  it('is neither started nor complained of once the window is closed', async () => {
    const { server, starts, failures, begun } = someWindow();
    const asked = server.get();
    const first = await begun(1);
    server.end();
    first.comesUp();
    await assert.rejects(asked);
    await assert.rejects(server.get());
    await settle();
    assert.deepEqual([starts.length, first.session.closed, failures], [1, true, []]);
  });
});
