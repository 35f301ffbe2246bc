import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { READ_ONLY } from '../../src/link/hostOptions.js';
import { reach, Unreachable, type ReachOptions } from '../../src/server/reach.js';
import { helloOf, refusing, silent, Store, type FakeHost } from './fakeHost.js';

const PATIENT = { deadline: 10_000, patience: 10_000 };
const HURRIED = { deadline: 120, patience: 0 };

/** A storage directory, and what was done to get a host there. */
class Way {
  readonly store: Store;
  /** The dead token each launch was told. */
  readonly launches: (string | null)[] = [];
  released = 0;
  /** What becomes of a launch: its last words, if it ends. */
  launched: () => Promise<string> = () => new Promise(() => undefined);

  constructor(t: TestContext) {
    this.store = new Store(t);
  }

  reach(options: Partial<ReachOptions> = {}) {
    return reach({
      storageDir: this.store.directory,
      hello: (token) => Promise.resolve(helloOf({ token })),
      launch: (dead) => {
        this.launches.push(dead);
        return { gaveUp: this.launched(), release: () => void (this.released += 1) };
      },
      patient: false,
      times: { deadline: 10_000, patience: 0 },
      ...options,
    });
  }

  /** Every launch brings up another host, and stays with it. */
  launchesHost(): void {
    this.launched = async () => {
      await this.store.host();
      return new Promise(() => undefined);
    };
  }

  /** Every launch ends with such words. */
  launchesEnd(words: string): void {
    this.launched = () => Promise.resolve(words);
  }

  async failure(options: Partial<ReachOptions> = {}): Promise<Unreachable> {
    const error: unknown = await this.reach(options).then(
      (connection) => connection.close(),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Unreachable);
    return error;
  }
}

const tokens = (host: FakeHost) => host.hellos.map(({ token }) => token);

test('a host that serves is used, and none is started', async (t) => {
  const way = new Way(t);
  const host = await way.store.host();
  const connection = await way.reach();
  assert.equal(connection.pid, 4711);
  assert.deepEqual(tokens(host), [host.token]);
  assert.deepEqual(way.launches, []);
  connection.close();
});

test('where there is no record a host is started once, and let go of when it serves', async (t) => {
  const way = new Way(t);
  way.launchesHost();
  (await way.reach()).close();
  assert.deepEqual([way.launches, way.released], [[null], 1]);
});

test('a host that died is named to the one that is started', async (t) => {
  const way = new Way(t);
  const host = await way.store.host();
  await host.die();
  way.launchesHost();
  (await way.reach()).close();
  assert.deepEqual([way.launches, way.released], [[host.token], 1]);
});

test('the record of a dead host is not tried again while another one comes up', async (t) => {
  const way = new Way(t);
  await (await way.store.host()).die();
  let hellos = 0;
  const hello = (token: string) => {
    hellos += 1;
    return Promise.resolve(helloOf({ token }));
  };
  await way.failure({ hello, times: HURRIED });
  assert.equal(hellos, 1);
});

for (const why of ['token', 'store', 'retiring'] as const) {
  test(`whom a host refuses for ${why} another host is started, and the first not asked again`, async (t) => {
    const way = new Way(t);
    const host = await way.store.host(refusing(why));
    way.launchesHost();
    (await way.reach()).close();
    assert.equal(host.hellos.length, 1);
    assert.deepEqual(way.launches, [host.token]);
  });
}

test('a refusal over the protocol is final and said at once', async (t) => {
  const way = new Way(t);
  await way.store.host(refusing('protocol', 'it speaks another one. Update.'));
  const { message, readOnly } = await way.failure();
  assert.match(message, /refuses this client: it speaks another one\. Update\. .*--standalone/);
  assert.equal(readOnly, false);
  assert.deepEqual(way.launches, []);
});

test('who was refused and finds no other host in time is told the reason', async (t) => {
  const way = new Way(t);
  await way.store.host(refusing('store', 'it serves another folder.'));
  const { message } = await way.failure({ times: HURRIED });
  assert.match(message, /refuses this client: it serves another folder\. .*--standalone/);
});

test('a host that hangs up without a word is asked again', async (t) => {
  const way = new Way(t);
  const host = await way.store.host((socket) => {
    if (host.hellos.length === 1) socket.destroy();
    else socket.write('{"subconscious":"welcome","version":"1.0.0","pid":1}\n');
  });
  (await way.reach({ patient: true, times: PATIENT })).close();
  assert.equal(host.hellos.length, 2);
  assert.deepEqual(way.launches, []);
});

test('a host that gives up is quoted at once', async (t) => {
  const way = new Way(t);
  way.launchesEnd('The store is of a newer version. Update.');
  const { message, readOnly } = await way.failure();
  assert.match(message, /could not start\. The store is of a newer version\. Update\. .*--standalone/);
  assert.deepEqual([readOnly, way.launches, way.released], [false, [null], 1]);
});

test('a host that finds the directory read-only says so in a way that can be told', async (t) => {
  for (const warning of ['', 'Warning: Ignoring extra certs from `/a/b`\n']) {
    const way = new Way(t);
    way.launchesEnd(`${warning}${READ_ONLY}no room for an owner file.`);
    const { message, readOnly } = await way.failure();
    assert.deepEqual([message, readOnly], ['no room for an owner file.', true]);
  }
});

test('a host that made way for another one is no failure', async (t) => {
  const way = new Way(t);
  way.launched = async () => {
    await way.store.host();
    return '';
  };
  (await way.reach()).close();
  assert.deepEqual(way.launches, [null]);
});

test('words of a host that left while another one served do not matter', async (t) => {
  const way = new Way(t);
  way.launched = async () => {
    await way.store.host();
    return 'Warning: something Node has to say.';
  };
  (await way.reach()).close();
});

test('where the other one is not to be seen, a host is started again', async (t) => {
  const way = new Way(t);
  way.launched = () => {
    if (way.launches.length === 2) way.launchesHost();
    return way.launches.length === 2 ? way.launched() : Promise.resolve('');
  };
  (await way.reach()).close();
  assert.deepEqual([way.launches, way.released], [[null, null], 2]);
});

test('somebody else’s host is waited for before one is started', async (t) => {
  const way = new Way(t);
  const reached = way.reach({ patient: true, times: PATIENT });
  await way.store.host();
  (await reached).close();
  assert.deepEqual(way.launches, []);
});

test('patience ends', async (t) => {
  const way = new Way(t);
  way.launchesHost();
  (await way.reach({ patient: true, times: { deadline: 10_000, patience: 50 } })).close();
  assert.deepEqual(way.launches, [null]);
});

test('a host that does not come up is given up, saying where to look', async (t) => {
  const way = new Way(t);
  const { message, readOnly } = await way.failure({ times: HURRIED });
  assert.ok(message.includes(way.store.directory));
  assert.match(message, /within 0\.12 seconds.*Try again; the log .*--standalone/);
  assert.deepEqual([readOnly, way.launches, way.released], [false, [null], 1]);
});

test('a host that takes the connection and says nothing is named, and no other one is started', async (t) => {
  const way = new Way(t);
  await way.store.host(silent);
  const { message } = await way.failure({ times: HURRIED });
  assert.match(message, /pid 4711\) does not answer.*continue it.*end process 4711.*--standalone/);
  assert.deepEqual(way.launches, []);
});

const places: [string, (way: Way) => string][] = [
  ['in a folder that is gone', (way) => join(way.store.base, 'gone', 'host.0.sock')],
  [
    'in a folder that is open to others',
    (way) => {
      const folder = join(way.store.base, 'open');
      mkdirSync(folder);
      chmodSync(folder, 0o777);
      return join(folder, 'host.0.sock');
    },
  ],
  ['that no host would choose', () => '/etc/passwd'],
];
for (const [where, addressIn] of process.platform === 'win32' ? [] : places) {
  test(`a record with an address ${where} is taken for a leftover`, async (t) => {
    const way = new Way(t);
    const record = { ...(await way.store.host()).record, address: addressIn(way), token: 'leftover' };
    await way.store.publish(record);
    way.launchesHost();
    (await way.reach()).close();
    assert.deepEqual(way.launches, ['leftover']);

    await way.store.publish(record);
    way.launchesEnd('It has its reasons.');
    assert.match((await way.failure()).message, /could not start\. It has its reasons\. .*host/);
  });
}

test('a record that is no record is as good as none', async (t) => {
  const way = new Way(t);
  writeFileSync(join(way.store.directory, 'host.json'), '{"pid":1', { mode: 0o600 });
  way.launchesHost();
  (await way.reach()).close();
  assert.deepEqual(way.launches, [null]);
});
