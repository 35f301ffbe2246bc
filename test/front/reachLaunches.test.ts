import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GAVE_UP, READ_ONLY } from '../../src/link/hostOptions.js';
import { Way } from './way.js';

const WARNING = 'Warning: Ignoring extra certs from `/a/b`\n';

test('a host that gives up is quoted at once', async (t) => {
  for (const warning of ['', WARNING]) {
    const way = new Way(t);
    way.launchesEnd(`${warning}${GAVE_UP}The store is of a newer version. Update.`);
    const { message, readOnly } = await way.failure();
    assert.match(message, /could not start\. The store is of a newer version\. Update\. .*--standalone/);
    assert.deepEqual([readOnly, way.launches, way.released], [false, [null], 1]);
  }
});

test('a host that finds the directory read-only says so in a way that can be told', async (t) => {
  for (const warning of ['', WARNING]) {
    const way = new Way(t);
    way.launchesEnd(`${warning}${GAVE_UP}${READ_ONLY}no room for an owner file.`);
    const { message, readOnly } = await way.failure();
    assert.deepEqual([message, readOnly], ['no room for an owner file.', true]);
  }
});

test('that a host says of something that it is read-only does not make the directory so', async (t) => {
  const way = new Way(t);
  way.launchesGiveUp(`The home folder is ${READ_ONLY}no log.`);
  const { message, readOnly } = await way.failure();
  assert.match(message, /could not start\. The home folder is read-only: no log\./);
  assert.equal(readOnly, false);
});

test('a host that crashes once is started again', async (t) => {
  const way = new Way(t);
  way.launchesInTurn(['Error: the roof fell in (at host.js:1)']);
  (await way.reach()).close();
  assert.deepEqual([way.launches, way.released], [[null, null], 2]);
});

test('a host that crashes twice is quoted', async (t) => {
  const way = new Way(t);
  way.launchesInTurn(['Error: the roof', '', 'Error: the floor']);
  const { message, readOnly } = await way.failure();
  assert.match(message, /could not start\. Error: the floor .*--standalone/);
  assert.deepEqual([readOnly, way.launches.length, way.released], [false, 3, 3]);
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
  way.launchesInTurn(['']);
  (await way.reach()).close();
  assert.deepEqual([way.launches, way.released], [[null, null], 2]);
});
