import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedPairs } from '../../src/search/letterPairs.js';

describe('shared letter pairs', () => {
  it('are all of them in equal texts, whatever the spaces and punctuation', () => {
    assert.equal(sharedPairs('重启服务器', '重启 服务器。'), 1);
    assert.equal(sharedPairs('ab cd', 'a-bcd'), 1);
  });

  it('are none in texts without a common pair, and in texts without pairs', () => {
    assert.equal(sharedPairs('请重启', '请购买'), 0);
    assert.equal(sharedPairs('', ''), 0);
    assert.equal(sharedPairs('一', '一'), 0);
  });

  it('count each pair as often as both have it', () => {
    // night: ni ig gh ht; nacht: na ac ch ht.
    assert.equal(sharedPairs('night', 'nacht'), 0.25);
    assert.equal(sharedPairs('aaaa', 'aa'), 0.5);
  });

  it('keep letters outside the basic plane whole', () => {
    assert.equal(sharedPairs('𠮷野家', '𠮷野屋'), 0.5);
  });
});
