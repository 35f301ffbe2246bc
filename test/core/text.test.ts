import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  estimateTokens,
  foldIdentity,
  foldSpace,
  shorten,
  snippet,
  utf8Length,
  wellFormed,
} from '../../src/core/text.js';

/** Any UTF-16, lone surrogates included. */
const anyText = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 });

describe('text as it is stored and compared', () => {
  it('has no lone surrogates', () => {
    assert.equal(wellFormed('a\ud800b\udc00'), 'a\ufffdb\ufffd');
    assert.equal(wellFormed('zebra 🦓\u0000\u2028'), 'zebra 🦓\u0000\u2028');
  });

  it('is the same text in other white space and compatibility forms, and for a question in other case', () => {
    assert.equal(foldSpace(' ﬁx\u3000the\r\n\tＣＩ '), 'fix the CI');
    assert.equal(foldIdentity('Fix  THE ci'), 'fix the ci');
    assert.notEqual(foldSpace('Fix'), foldSpace('fix'));
  });

  it('has as many bytes as its UTF-8 form', () => {
    fc.assert(fc.property(anyText, (text) => utf8Length(text) === Buffer.byteLength(text)));
    assert.equal(utf8Length('é縞🦓'), 2 + 3 + 4);
  });
});

describe('estimated tokens', () => {
  it('are one for every four letters and one for each character of a script without spaces', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('word'), 1);
    assert.equal(estimateTokens('words'), 2);
    assert.equal(estimateTokens('縞馬の飼育'), 5);
    assert.equal(estimateTokens('ม้าลาย'), 6);
    assert.equal(estimateTokens('얼룩말、four'), 5);
  });
});

describe('shortened text', () => {
  it('fits the limit, is cut between characters and shows that it was cut', () => {
    assert.equal(shorten('exactly', 7), 'exactly');
    assert.equal(shorten('exactly', 6), 'exact…');
    assert.equal(shorten('ab🦓cd', 4), 'ab…', 'no half zebra');
    const limit = fc.integer({ min: 1, max: 30 });
    const property = fc.property(fc.string({ unit: 'binary', maxLength: 40 }), limit, (text, most) => {
      const short = shorten(text, most);
      return short.length <= most && short.isWellFormed() && (short === text || short.endsWith('…'));
    });
    fc.assert(property);
  });
});

describe('a snippet', () => {
  it('is the text itself, on one line, where that is short enough', () => {
    assert.equal(snippet('one\n  two\tthree ', ['two'], 20), 'one two three');
  });

  it('starts at the beginning unless the words come late', () => {
    const text = `${'first '.repeat(40)}zebra ${'last '.repeat(40)}`;
    assert.match(snippet(text, [], 60), /^first .*…$/);
    assert.match(snippet(text, ['first'], 60), /^first .*…$/);
    assert.match(snippet(text, ['zebra'], 60), /^….*zebra.*…$/);
    assert.match(snippet(text, ['zebra', 'absent'], 60), /zebra/);
  });

  it('never exceeds its limit nor cuts a character in two', () => {
    const text = fc.string({ unit: 'binary', maxLength: 400 });
    const property = fc.property(text, fc.string({ unit: 'binary', maxLength: 3 }), (whole, word) => {
      const part = snippet(whole, [word.toLowerCase()], 60);
      return part.length <= 60 && part.isWellFormed();
    });
    fc.assert(property);
  });
});
