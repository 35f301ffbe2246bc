import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HOOK_EVENTS, isHookEvent, readHookArguments } from '../../src/hooks/hookArguments.js';
import { isHookCall } from '../../src/server/hookCall.js';

test('event and configuration are found in any order, in both ways to write them', () => {
  const expected = { event: 'stop', configPath: '/c.json' };
  for (const words of [
    ['--event', 'stop', '--config', '/c.json'],
    ['--config', '/c.json', '--event', 'stop'],
    ['hook', '--event=stop', '--config=/c.json'],
    ['--config=/c.json', 'hook', '--event', 'stop'],
    ['--event', 'stop', 'hook', '--verbose', '--config', '/c.json', 'more'],
    ['--event=pre-compact', '--config', '/c.json', '--event', 'stop'],
  ]) {
    assert.deepEqual(readHookArguments(words), expected, words.join(' '));
  }
});

test('what is not named is not there', () => {
  assert.deepEqual(readHookArguments([]), { event: null, configPath: undefined });
  assert.deepEqual(readHookArguments(['--event']), { event: null, configPath: undefined });
  assert.deepEqual(readHookArguments(['--event=', 'stop']), { event: '', configPath: undefined });
  assert.deepEqual(readHookArguments(['--events', 'stop']), { event: null, configPath: undefined });
});

test('only the five events are events', () => {
  assert.equal(HOOK_EVENTS.length, 5);
  for (const event of HOOK_EVENTS) assert.ok(isHookEvent(event));
  for (const other of [null, '', 'Stop', 'toString', 'session_end']) assert.equal(isHookEvent(other), false);
});

test('the server knows a hook by the command, wherever it stands', () => {
  for (const words of [
    ['hook'],
    ['hook', '--event', 'stop'],
    ['--event', 'stop', 'hook'],
    ['--config', '/c.json', 'hook', '--event=stop'],
  ]) {
    assert.ok(isHookCall(words), words.join(' '));
  }
});

test('the server does not take a value for the command', () => {
  for (const words of [[], ['--config', 'hook'], ['--event', 'hook'], ['--hook'], ['hooks']]) {
    assert.equal(isHookCall(words), false, words.join(' '));
  }
  assert.equal(isHookCall(['install-hooks', '--settings', 'hook']), false);
});
