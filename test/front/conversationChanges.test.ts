import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Conversation } from '../../src/server/conversation.js';
import {
  asking,
  complaint,
  FRONT,
  INITIALIZE,
  INITIALIZED,
  opened,
  parsed,
  REINITIALIZE,
  result,
} from './conversationBuilders.js';

const resubscribed = (uri: string) =>
  `{"jsonrpc":"2.0","id":"${FRONT}:${uri}","method":"resources/subscribe","params":{"uri":"${uri}"}}`;

test('a subscription is replayed from the host that accepted it to the one that ended it', () => {
  const conversation = opened(asking('s', 'resources/subscribe', { uri: 'memory://a' }));
  assert.deepEqual(conversation.updates(), []);
  conversation.fromHost(result('s'));
  assert.deepEqual([conversation.waiting, conversation.needsHost], [false, true]);
  assert.deepEqual(conversation.resume(), [REINITIALIZE, INITIALIZED, resubscribed('memory://a')]);

  const unsubscribe = asking('u', 'resources/unsubscribe', { uri: 'memory://a' });
  conversation.fromClient(unsubscribe, true);
  assert.deepEqual(conversation.resume().slice(2), [resubscribed('memory://a'), unsubscribe]);
  conversation.fromHost(result('u'));
  assert.equal(conversation.needsHost, false);
  assert.deepEqual(conversation.resume().slice(2), []);
});

test('a subscription without an answer is sent again by itself alone', () => {
  const subscribe = asking('s', 'resources/subscribe', { uri: 'memory://a' });
  assert.deepEqual(opened(subscribe).resume().slice(2), [subscribe]);
});

test('what was refused changes no subscription', () => {
  const conversation = opened(asking(1, 'resources/subscribe', { uri: 'memory://a' }));
  conversation.fromHost(complaint(1));
  assert.equal(conversation.needsHost, false);
  conversation.fromClient(asking(2, 'resources/subscribe', { uri: 'memory://b' }), true);
  conversation.fromHost(result(2));
  conversation.fromClient(asking(3, 'resources/unsubscribe', { uri: 'memory://b' }), true);
  conversation.fromHost(complaint(3));
  assert.deepEqual(conversation.resume().slice(2), [resubscribed('memory://b')]);
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

test('repeated are the open calls that a host was sent', () => {
  const conversation = opened(asking(1), asking('1'), asking(2));
  conversation.fromHost(result(2));
  conversation.fromClient(asking(3), false);
  assert.deepEqual(conversation.repeated, 2);
  conversation.resume();
  assert.deepEqual(conversation.repeated, 3);
});

test('a request that ten hosts have died over is given up, younger ones are not', () => {
  const conversation = opened(asking('old'), 'no JSON');
  for (let host = 2; host <= 10; host += 1) {
    assert.deepEqual(conversation.giveUp(), []);
    conversation.resume();
  }
  conversation.fromClient(asking('young'), true);
  const answers = parsed(conversation.giveUp());
  assert.deepEqual(
    answers.map(({ id }) => id),
    ['old', null],
  );
  assert.match(JSON.stringify(answers[0]), /-32000.*ended 10 times.*given up.*may or may not/);
  assert.deepEqual(conversation.resume().slice(2), [asking('young')]);
  assert.equal(conversation.fromHost(result('old')), false);
});

test('what was abandoned waits for nothing, and its late answer is not taken for that of a later request', () => {
  const conversation = opened(asking(1), asking(2));
  assert.deepEqual(
    parsed(conversation.abandon('It hangs.')).map(({ id }) => id),
    [1, 2],
  );
  assert.deepEqual(conversation.abandon('It hangs.'), []);
  assert.equal(conversation.waiting, false);
  assert.equal(conversation.repeated, 0);
  conversation.fromClient(asking(1), true);
  assert.deepEqual([conversation.waiting, conversation.repeated], [true, 1]);
  assert.equal(conversation.fromHost(result(1)), false);
  assert.equal(conversation.fromHost(result(1)), true);
  assert.equal(conversation.fromHost(result(1)), false);
  conversation.fromClient(asking(3), true);
  assert.deepEqual(conversation.resume().slice(2), [asking(3)]);
  assert.equal(conversation.fromHost(result(2)), false);
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
  assert.deepEqual(conversation.resume(), [REINITIALIZE, INITIALIZED]);
});

test('a failed initialize is forgotten', () => {
  const conversation = new Conversation(FRONT);
  conversation.fromClient(INITIALIZE, false);
  conversation.fail('no host');
  assert.deepEqual(conversation.resume(), []);
});
