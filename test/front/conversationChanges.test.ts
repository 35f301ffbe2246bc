import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Conversation } from '../../src/server/conversation.js';
import {
  after,
  asking,
  Clock,
  complaint,
  FRONT,
  INITIALIZE,
  INITIALIZED,
  opened,
  openedAt,
  parsed,
  REINITIALIZE,
  repeated,
  result,
  retold,
  untimed,
} from './conversationBuilders.js';

const resubscribed = (uri: string) =>
  `{"jsonrpc":"2.0","id":"${FRONT}:${uri}","method":"resources/subscribe","params":{"uri":"${uri}"}}`;

test('a subscription is replayed from the host that accepted it to the one that ended it', () => {
  const conversation = opened(asking('s', 'resources/subscribe', { uri: 'memory://a' }));
  assert.deepEqual(conversation.updates(), []);
  conversation.fromHost(result('s'));
  assert.deepEqual([conversation.waiting, conversation.needsHost], [false, true]);
  assert.deepEqual(retold(conversation), [REINITIALIZE, INITIALIZED, resubscribed('memory://a')]);

  const unsubscribe = asking('u', 'resources/unsubscribe', { uri: 'memory://a' });
  conversation.fromClient(unsubscribe, true);
  assert.deepEqual(retold(conversation).slice(2), [resubscribed('memory://a'), unsubscribe]);
  conversation.fromHost(result('u'));
  assert.equal(conversation.needsHost, false);
  assert.deepEqual(retold(conversation).slice(2), []);
});

test('a subscription without an answer is sent again by itself alone', () => {
  const subscribe = asking('s', 'resources/subscribe', { uri: 'memory://a' });
  assert.deepEqual(untimed(opened(subscribe).resume()).slice(2), repeated(subscribe));
});

test('what was refused changes no subscription', () => {
  const conversation = opened(asking(1, 'resources/subscribe', { uri: 'memory://a' }));
  conversation.fromHost(complaint(1));
  assert.equal(conversation.needsHost, false);
  conversation.fromClient(asking(2, 'resources/subscribe', { uri: 'memory://b' }), true);
  conversation.fromHost(result(2));
  conversation.fromClient(asking(3, 'resources/unsubscribe', { uri: 'memory://b' }), true);
  conversation.fromHost(complaint(3));
  assert.deepEqual(retold(conversation).slice(2), [resubscribed('memory://b')]);
});

test('only subscriptions subscribe', () => {
  const conversation = opened(
    asking(1, 'resources/read', { uri: 'memory://a' }),
    asking(2, 'resources/subscribe', { uri: 5 }),
    asking(3, 'resources/subscribe'),
  );
  for (const id of [1, 2, 3]) conversation.fromHost(result(id));
  assert.equal(conversation.needsHost, false);
});

test('the client is told that everything it watches may have changed', () => {
  const conversation = opened();
  for (const uri of ['memory://a', 'memory://b"']) {
    conversation.fromClient(asking(uri, 'resources/subscribe', { uri }), true);
    conversation.fromHost(result(uri));
  }
  const updated = (uri: string) => ({
    jsonrpc: '2.0',
    method: 'notifications/resources/updated',
    params: { uri },
  });
  assert.deepEqual(parsed(conversation.updates()), [updated('memory://a'), updated('memory://b"')]);
});

test('requests that a host was sent are marked for the next one, those it was not sent are not', () => {
  const conversation = opened(asking(1), asking('1'), asking(2));
  conversation.fromHost(result(2));
  conversation.fromClient(asking(3), false);
  assert.deepEqual(untimed(conversation.resume()).slice(2), [...repeated(asking(1), asking('1')), asking(3)]);
  assert.deepEqual(untimed(conversation.resume()).slice(2), repeated(asking(1), asking('1'), asking(3)));
});

test('of each repeated request is said since when the front has it, in seconds', () => {
  const clock = new Clock();
  clock.milliseconds = 1_700_000_000_500;
  const conversation = openedAt(clock.now, asking(1));
  clock.milliseconds += 1000;
  conversation.fromClient(asking('1'), true);
  conversation.fromClient(asking('new'), false);
  clock.milliseconds += 1000;
  const [marking] = parsed(conversation.resume().slice(2));
  assert.deepEqual(marking?.['params'], { since: { '1': 1_700_000_000.5, '"1"': 1_700_000_001.5 } });
});

test('where nothing is repeated nothing is marked', () => {
  const conversation = opened(asking('s', 'resources/subscribe', { uri: 'memory://a' }));
  conversation.fromHost(result('s'));
  conversation.fromClient(asking(1), false);
  const lines = [REINITIALIZE, INITIALIZED, resubscribed('memory://a'), asking(1)];
  assert.deepEqual(conversation.resume(), lines);
});

test('the handshake comes ahead of the marks, also when it is sent again', () => {
  const conversation = after(INITIALIZE, INITIALIZED, asking(1));
  assert.deepEqual(untimed(conversation.resume()), [INITIALIZE, INITIALIZED, ...repeated(asking(1))]);
});

/** Hosts beyond the first that are told everything and die. */
function dieOver(conversation: Conversation, hosts: number): void {
  for (let host = 0; host < hosts; host += 1) conversation.resume();
}

test('a request that ten hosts have died over in twenty seconds is given up, younger ones are not', () => {
  const clock = new Clock();
  const conversation = openedAt(clock.now, asking('old'), 'no JSON');
  dieOver(conversation, 9);
  clock.milliseconds += 1;
  conversation.fromClient(asking('young'), true);
  dieOver(conversation, 9);
  clock.milliseconds = 19_999;
  assert.deepEqual(conversation.giveUp(), []);
  clock.milliseconds = 20_000;
  const answers = parsed(conversation.giveUp());
  assert.deepEqual(
    answers.map(({ id }) => id),
    ['old', null],
  );
  assert.match(JSON.stringify(answers[0]), /-32000.*ended 10 times.*given up.*may or may not/);
  assert.deepEqual(retold(conversation).slice(2), [asking('young')]);
  assert.equal(conversation.size, asking('young').length);
  assert.equal(conversation.fromHost(result('old')), false);
});

test('a request that fewer hosts have died over is kept, however old it is', () => {
  const clock = new Clock();
  const conversation = openedAt(clock.now, asking(1));
  dieOver(conversation, 8);
  clock.milliseconds = 3_600_000;
  assert.deepEqual(conversation.giveUp(), []);
  dieOver(conversation, 1);
  assert.equal(conversation.giveUp().length, 1);
});

test('what no host was sent is not given up', () => {
  const clock = new Clock();
  const conversation = openedAt(clock.now);
  conversation.fromClient(asking(1), false);
  clock.milliseconds = 60_000;
  dieOver(conversation, 9);
  assert.deepEqual(conversation.giveUp(), []);
  assert.equal(conversation.waiting, true);
});

test('a failure answers all that is open, in order, and nothing else', () => {
  const conversation = opened(asking(1), asking('1'), 'no JSON', asking('s', 'resources/subscribe'));
  const error = { code: -32000, message: 'No host: "why".' };
  const ids = [1, '1', null, 's'];
  assert.deepEqual(
    parsed(conversation.fail('No host: "why".')),
    ids.map((id) => ({ jsonrpc: '2.0', id, error })),
  );
  assert.equal(conversation.waiting, false);
  assert.deepEqual(conversation.fail('again'), []);
  assert.equal(conversation.fromHost(result(1)), false);
  assert.deepEqual(retold(conversation), [REINITIALIZE, INITIALIZED]);
});

test('a failed initialize is forgotten', () => {
  const conversation = new Conversation(FRONT);
  conversation.fromClient(INITIALIZE, false);
  conversation.fail('no host');
  assert.deepEqual(retold(conversation), []);
});
