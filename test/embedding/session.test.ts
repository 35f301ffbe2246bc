import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { findModel } from '../../src/embedding/modelFiles.js';
import { loadSession, type EmbeddingSession } from '../../src/embedding/session.js';
import { cosine, words } from './builders.js';

const TEXT = 'How do I restart the web server after a configuration change?';
const PARAPHRASE = 'What is the way to reboot the HTTP server once the config was edited?';
const STRANGER = 'The cat slept on the warm windowsill all afternoon.';

describe('the shipped model', () => {
  let session: EmbeddingSession;

  before(async () => {
    session = await loadSession(findModel('all-MiniLM-L6-v2').folder);
  });

  async function embed(text: string): Promise<Float32Array> {
    const [vector] = await session.embed([text]);
    assert.ok(vector);
    return vector;
  }

  test('a paraphrase is nearer than a stranger', async () => {
    const [text, paraphrase, stranger] = await session.embed([TEXT, PARAPHRASE, STRANGER]);
    assert.ok(cosine(text, paraphrase) > cosine(text, stranger) + 0.3);
  });

  test('vectors are those of this model: 384 numbers, length 1, known cosine', async () => {
    const [a, b] = [await embed('A man is eating food.'), await embed('A man is eating a piece of bread.')];
    assert.equal(a.length, 384);
    assert.ok(Math.abs(cosine(a, a) - 1) < 1e-5);
    assert.ok(Math.abs(cosine(a, b) - 0.758) < 0.01, `cosine ${cosine(a, b)}`);
  });

  test('the same text gives the same vector, whatever else is in the request', async () => {
    const alone = await embed(TEXT);
    const [, among] = await session.embed([STRANGER, TEXT, words(100)]);
    assert.deepEqual(await embed(TEXT), alone);
    assert.deepEqual(among, alone);
  });

  test('a long text is read to its end', async () => {
    const start = words(2000);
    const [a, b] = [await embed(`${start} ${TEXT}`), await embed(`${start} ${STRANGER}`)];
    assert.ok(Math.abs(cosine(a, a) - 1) < 1e-5);
    assert.ok(cosine(a, b) < 0.9999, `cosine ${cosine(a, b)}`);
  });

  test('a text of two pieces lies between them', async () => {
    const [first, second] = [words(254), Array.from({ length: 254 }, () => 'cat').join(' ')];
    const both = await embed(`${first} ${second}`);
    const [a, b] = [await embed(first), await embed(second)];
    assert.ok(cosine(both, a) > cosine(a, b) && cosine(both, b) > cosine(a, b));
  });

  test('texts without words, with broken characters or of megabytes still give unit vectors', async () => {
    for (const text of [
      '',
      ' \n\t',
      '\u0000',
      '\ud83d',
      '[SEP] [CLS]',
      '🙂'.repeat(300),
      'qzx9 '.repeat(1 << 20),
    ]) {
      const vector = await embed(text);
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5, JSON.stringify(text.slice(0, 20)));
    }
  });
});
