import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../server/until.js';
import { helloOf, refusing, silent, WELCOME, type FakeHost } from './fakeHost.js';
import { Way } from './way.js';

const PATIENT = { deadline: 10_000, patience: 10_000 };
const HURRIED = { deadline: 120, patience: 0 };

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
    return helloOf({ token });
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

test('a host that ends for whom it refuses is succeeded at once', async (t) => {
  const way = new Way(t);
  const host = await way.store.host(refusing('retiring', 'it makes room.', true));
  way.launchesHost();
  (await way.reach({ patient: true, times: PATIENT })).close();
  assert.deepEqual([way.launches, host.hellos.length], [[host.token], 1]);
});

test('a host that ends for somebody else has a successor that is waited for', async (t) => {
  const way = new Way(t);
  const first = await way.store.host(refusing('retiring'));
  const reached = way.reach({ times: PATIENT });
  await until('the first host is asked', () => first.hellos.length === 1);
  const second = await way.store.host();
  (await reached).close();
  assert.deepEqual([way.launches, first.hellos.length, second.hellos.length], [[], 1, 1]);
});

test('that patience ends too', async (t) => {
  const way = new Way(t);
  const host = await way.store.host(refusing('retiring'));
  way.launchesHost();
  (await way.reach({ times: { deadline: 10_000, patience: 50 } })).close();
  assert.deepEqual(way.launches, [host.token]);
});

test('that a host was about to end is not the reason why there is none', async (t) => {
  const way = new Way(t);
  await way.store.host(refusing('retiring', 'it is about to end.', true));
  const { message } = await way.failure({ times: HURRIED });
  assert.match(message, /No memory process for .* came up within 0\.12 seconds/);
  assert.doesNotMatch(message, /about to end/);
  way.launchesGiveUp('It has its reasons.');
  assert.match((await way.failure()).message, /could not start\. It has its reasons\. /);
});

test('a host that hangs up without a word is asked again', async (t) => {
  const way = new Way(t);
  const host = await way.store.host((socket) => {
    if (host.hellos.length === 1) socket.destroy();
    else socket.write(WELCOME);
  });
  (await way.reach({ patient: true, times: PATIENT })).close();
  assert.equal(host.hellos.length, 2);
  assert.deepEqual(way.launches, []);
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

test('a host that has just come up is given a while to answer, although no time is left', async (t) => {
  const way = new Way(t);
  await way.store.host((socket) => void setTimeout(() => socket.write(WELCOME), 50));
  (await way.reach({ times: { deadline: 0, patience: 0 } })).close();
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
    way.launchesGiveUp('It has its reasons.');
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
