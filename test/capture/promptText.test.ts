import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isInterruption, promptText } from '../../src/capture/promptText.js';

test('wrappers are cut out of the words of the user', () => {
  const cases: [string, string][] = [
    ['  Fix the build \n', 'Fix the build'],
    ['<command-name>/clear</command-name>\n<command-args></command-args>', ''],
    ['<command-message>plan</command-message>\n<command-name>/plan</command-name>', ''],
    ['<local-command-caveat>not for you</local-command-caveat>', ''],
    ['<local-command-stdout>set</local-command-stdout><local-command-stderr></local-command-stderr>', ''],
    ['<bash-input>ls</bash-input>', ''],
    ['<bash-stdout>a\nb</bash-stdout><bash-stderr>c</bash-stderr>', ''],
    ['<task-notification>\n<task-id>1</task-id>\n</task-notification>', ''],
    ['<ide_selection>line 1\nline 2</ide_selection>\nExplain', 'Explain'],
    ['Before <system-reminder>a\n<b></system-reminder>after', 'Before after'],
    ['<system-reminder>x</system-reminder>One<system-reminder>y</system-reminder>', 'One'],
    ['<bash-stdout><system-reminder>in</bash-stdout>Kept</system-reminder>', 'Kept</system-reminder>'],
  ];
  for (const [from, to] of cases) assert.equal(promptText(from), to, from);
});

test('other tags, and one that is never closed, are text', () => {
  for (const text of [
    'Wrap it in <b>bold</b>',
    'What does <system-reminder> mean?',
    '<system-reminder> and <system-reminder>',
    '</bash-stdout> came first <bash-stdout>',
    '<command-named>x</command-named>',
  ]) {
    assert.equal(promptText(text), text);
  }
  assert.equal(promptText('<bash-input> <system-reminder>x</system-reminder>y'), '<bash-input> y');
});

test('what is no text has no words', () => {
  for (const content of [undefined, null, 7, {}, { type: 'text', text: 'x' }, [], [null, 7, 'x', []]]) {
    assert.equal(promptText(content), '');
  }
});

test('an interruption is the whole text', () => {
  assert.ok(isInterruption('[Request interrupted by user]'));
  assert.ok(isInterruption('[Request interrupted by user for tool use]'));
  assert.ok(!isInterruption('[Request interrupted by user] again'));
  assert.ok(!isInterruption('Why [Request interrupted by user]'));
});
