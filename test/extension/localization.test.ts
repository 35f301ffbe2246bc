import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import ts from 'typescript';
import { json, manifest, manifestText, ROOT, words } from './manifest.js';
import { nodesOf, sources } from './sources.js';

/** Where translators begin: the words in the code, each under itself. */
const BUNDLE = join(manifest.l10n, 'bundle.l10n.json');

const translated = sources
  .flatMap((file) => nodesOf(file, ts.isCallExpression))
  .filter(({ expression }) => expression.getText() === 'vscode.l10n.t');

/** The words in the code in the order of their letters; whole sentences, nothing put together. */
function sentences(): string[] {
  const texts = translated.map((call) => {
    const [text] = call.arguments;
    assert.ok(text && ts.isStringLiteral(text), `cannot be translated: ${call.getText()}`);
    return text.text;
  });
  return [...new Set(texts)].sort();
}

describe('the words in the code', () => {
  it('are all in the bundle, and nothing else is; UPDATE_SNAPSHOTS=1 writes it', () => {
    const expected = Object.fromEntries(sentences().map((text) => [text, text]));
    if (process.env['UPDATE_SNAPSHOTS'] === '1') {
      writeFileSync(join(ROOT, BUNDLE), `${JSON.stringify(expected, null, 2)}\n`);
    }
    assert.ok(sentences().length > 100, 'the scan finds them');
    assert.deepEqual(json(BUNDLE), expected);
  });

  it('have a place for every value that is handed in, and a value for every place', () => {
    for (const call of translated) {
      const [text, ...values] = call.arguments;
      const places = new Set(
        [...(text?.getText() ?? '').matchAll(/\{(\d+)\}/g)].map(([, place]) => Number(place)),
      );
      const expected = values.map((_value, index) => index);
      assert.deepEqual([...places].sort(), expected, call.getText());
    }
  });

  it('are found by their call alone: the interface is used under no other name', () => {
    const uses = sources.flatMap((file) =>
      nodesOf(file, ts.isPropertyAccessExpression).filter(({ name }) => name.text === 'l10n'),
    );
    assert.equal(uses.length, translated.length);
  });
});

describe('the words of the manifest', () => {
  const keys = [...manifestText.matchAll(/"%([^%"\s]+)%"/g)].map(([, key]) => String(key));

  it('are there for every key', () => {
    assert.deepEqual(
      keys.filter((key) => !Object.hasOwn(words, key)),
      [],
    );
  });

  it('are used, every one', () => {
    assert.deepEqual(
      Object.keys(words).filter((key) => !keys.includes(key)),
      [],
    );
  });

  it('stand apart from it: what people read has a key', () => {
    const contributed = JSON.stringify(manifest.contributes);
    const plain = [
      ...contributed.matchAll(
        /"(\w*[tT]itle|label|name|\w*[dD]escription|contents|altText)":"([^%"][^"]*)"/g,
      ),
    ];
    assert.deepEqual(
      plain.map(([text]) => text),
      [],
    );
  });
});

describe('all words', () => {
  it('hold no emoji and no sign that only looks like three dots: icons are named', () => {
    const wrong = [...Object.values(words), ...sentences(), manifestText].filter((text) =>
      /\p{Extended_Pictographic}|…/u.test(text),
    );
    assert.deepEqual(wrong, []);
  });
});
