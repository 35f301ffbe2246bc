import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainMessage } from '../../src/extension/plainMessage.js';

describe('a message', () => {
  it('has no links, whatever was remembered', () => {
    const link = '[the docs](command:workbench.action.quit)';
    assert.equal(
      plainMessage(`Forgot "${link}${link}".`),
      'Forgot "[the docs] (command:workbench.action.quit)[the docs] (command:workbench.action.quit)".',
    );
  });

  it('is as it was where nothing could become a link', () => {
    for (const text of ['Forgot "a[0] (or b)".', 'f(x)[1]', '日本語 (メモ)'])
      assert.equal(plainMessage(text), text);
  });
});
