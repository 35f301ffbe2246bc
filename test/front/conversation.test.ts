import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Conversation } from '../../src/server/conversation.js';
import {
  after,
  asking,
  complaint,
  FRONT,
  INITIALIZE,
  INITIALIZED,
  opened,
  REINITIALIZE,
  result,
  telling,
  retold,
} from './conversationBuilders.js';

test('a conversation that has not begun tells a host nothing', () => {
  const conversation = new Conversation(FRONT);
  assert.deepEqual(retold(conversation), []);
  assert.deepEqual([conversation.waiting, conversation.needsHost, conversation.size], [false, false, 0]);
});

test('a handshake that was piped in with everything behind it is told in an order the host can use', () => {
  const lines = [INITIALIZE, INITIALIZED, asking(1), asking(2)];
  assert.deepEqual(retold(after(...lines)), lines);
});

test('a request ahead of the handshake waits until the next host knows the client', () => {
  const conversation = after(asking(7, 'ping'), INITIALIZE, INITIALIZED, asking(1));
  assert.deepEqual(retold(conversation), [INITIALIZE, INITIALIZED, asking(7, 'ping'), asking(1)]);
});

test('an answered initialize is replayed under an id of the front, ahead of all else', () => {
  const conversation = opened(asking(1));
  assert.deepEqual(retold(conversation), [REINITIALIZE, INITIALIZED, asking(1)]);
});

test('between the answer and notifications/initialized only initialize is replayed', () => {
  const conversation = after(INITIALIZE);
  conversation.fromHost(result(0));
  assert.deepEqual(retold(conversation), [REINITIALIZE]);
});

test('a refused initialize is not replayed', () => {
  const conversation = after(INITIALIZE);
  conversation.fromHost(complaint(0));
  assert.deepEqual(retold(conversation), []);
});

test('a second initialize is told after the first while it is open, and replaces it once answered', () => {
  const again = asking('again', 'initialize', { protocolVersion: '2025-03-26' });
  const conversation = opened(asking(1), again);
  assert.deepEqual(retold(conversation), [REINITIALIZE, again, INITIALIZED, asking(1)]);
  conversation.fromHost(result('again'));
  const [first] = retold(conversation);
  assert.match(first ?? '', /2025-03-26/);
});

test('a second initialize that is refused leaves the first in force', () => {
  const conversation = opened(asking('again', 'initialize'));
  conversation.fromHost(complaint('again'));
  assert.deepEqual(retold(conversation), [REINITIALIZE, INITIALIZED]);
});

test('the client never sees what the front asked itself', () => {
  const conversation = opened(asking('s', 'resources/subscribe', { uri: 'memory://a' }));
  conversation.fromHost(result('s'));
  retold(conversation);
  for (const id of [`${FRONT}:initialize`, `${FRONT}:memory://a`, `${FRONT}:ping`]) {
    assert.equal(conversation.fromHost(result(id)), false);
    assert.equal(conversation.fromHost(complaint(id)), false);
  }
});

test('a request is open until its answer, and the answer is seen once', () => {
  const conversation = opened(asking(1));
  assert.deepEqual([conversation.waiting, conversation.needsHost], [true, true]);
  assert.equal(conversation.size, asking(1).length);
  assert.equal(conversation.fromHost(result(1)), true);
  assert.deepEqual([conversation.waiting, conversation.needsHost, conversation.size], [false, false, 0]);
  assert.equal(conversation.fromHost(result(1)), false);
});

test('an error is an answer too', () => {
  const conversation = opened(asking(1));
  assert.equal(conversation.fromHost(complaint(1)), true);
  assert.equal(conversation.waiting, false);
});

test('1, "1" and null are different ids', () => {
  const conversation = opened(asking(1), asking('1'), asking(null));
  assert.equal(conversation.fromHost(result('1')), true);
  assert.equal(conversation.fromHost(result('1')), false);
  assert.deepEqual(retold(conversation).slice(2), [asking(1), asking(null)]);
  assert.equal(conversation.fromHost(complaint(null)), true);
  assert.deepEqual(retold(conversation).slice(2), [asking(1)]);
});

test('two requests under one id get two answers', () => {
  const conversation = opened(asking(1, 'first'), asking(1, 'second'));
  assert.equal(conversation.fromHost(result(1)), true);
  assert.deepEqual(retold(conversation).slice(2), [asking(1, 'second')]);
  assert.equal(conversation.fromHost(result(1)), true);
  assert.equal(conversation.fromHost(result(1)), false);
});

test('an id may be used again once it was answered', () => {
  const conversation = opened(asking(1, 'first'));
  conversation.fromHost(result(1));
  conversation.fromClient(asking(1, 'second'), true);
  assert.deepEqual(retold(conversation).slice(2), [asking(1, 'second')]);
  assert.equal(conversation.fromHost(result(1)), true);
});

test('complaints about lines without an id reach the client even if nobody waits for one', () => {
  const conversation = opened();
  assert.equal(conversation.fromHost(complaint(null)), true);
  assert.equal(conversation.fromHost(complaint(undefined)), false);
});

test('what the host says of its own accord is passed, whatever is open', () => {
  const conversation = opened(asking(1));
  const messages = [
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri: 'memory://a' } },
    { jsonrpc: '2.0', id: 1, method: 'ping' },
  ];
  for (const message of messages) assert.equal(conversation.fromHost(message), true);
  assert.equal(conversation.waiting, true);
});

test('a cancelled request is neither repeated nor answered', () => {
  const conversation = opened(asking(1), asking('1'));
  conversation.fromClient(telling('notifications/cancelled', { requestId: 1 }), true);
  assert.equal(conversation.fromHost(result(1)), false);
  assert.deepEqual(retold(conversation).slice(2), [asking('1')]);
});

test('a request is cancelled also while there is no host', () => {
  const conversation = new Conversation(FRONT);
  conversation.fromClient(asking(1), false);
  conversation.fromClient(telling('notifications/cancelled', { requestId: 1 }), false);
  assert.equal(conversation.needsHost, false);
});

test('initialize cannot be cancelled', () => {
  const conversation = after(INITIALIZE, telling('notifications/cancelled', { requestId: 0 }));
  assert.equal(conversation.fromHost(result(0)), true);
  assert.deepEqual(retold(conversation), [REINITIALIZE]);
});

test('a cancellation that names nothing open changes nothing', () => {
  const open = [asking(1), 'no JSON', asking(null)];
  const conversation = opened(...open);
  const cancelled = 'notifications/cancelled';
  const targets = [{ requestId: 2 }, { requestId: '1' }, { requestId: null }, { requestId: {} }, {}];
  for (const params of targets) conversation.fromClient(telling(cancelled, params), true);
  for (const params of [undefined, [1], 1]) {
    conversation.fromClient(JSON.stringify({ jsonrpc: '2.0', method: cancelled, params }), true);
  }
  // Not a notification: it has an id, and the host will say what it thinks of it.
  const odd = asking(9, cancelled, { requestId: 1 });
  conversation.fromClient(odd, true);
  assert.deepEqual(retold(conversation).slice(2), [...open, odd]);
});

test('answers and notifications of the client ask for nothing', () => {
  const lines = [JSON.stringify(result(1)), JSON.stringify(complaint(1)), telling('notifications/whatever')];
  const conversation = opened(...lines);
  assert.equal(conversation.waiting, false);
  assert.deepEqual(retold(conversation), [REINITIALIZE, INITIALIZED]);
});

test('a line that will be answered without an id is open until then', () => {
  const lines = [
    'no JSON',
    '[{"jsonrpc":"2.0","id":1,"method":"ping"}]',
    '[]',
    'null',
    '5',
    '{}',
    '{"jsonrpc":"2.0"}',
    '{"method":"notifications/initialized"}',
    '{"jsonrpc":"1.0","method":"notifications/cancelled","params":{"requestId":null}}',
    '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}',
    '{"jsonrpc":"2.0","id":1e999,"method":"ping"}',
  ];
  for (const line of lines) {
    const conversation = opened(line);
    assert.deepEqual(retold(conversation).slice(2), [line], line);
    assert.equal(conversation.fromHost(complaint(null)), true, line);
    assert.equal(conversation.waiting, false, line);
  }
});

test('a line with an id is answered under it, whatever is wrong with the rest', () => {
  const lines = ['{"id":4}', '{"id":4,"method":"ping"}', '{"jsonrpc":"2.0","id":4,"method":5,"result":{}}'];
  for (const line of lines) {
    const conversation = opened(line);
    assert.equal(conversation.fromHost(complaint(4)), true, line);
    assert.equal(conversation.waiting, false, line);
  }
});
