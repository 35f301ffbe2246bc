import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { tokenize } from '../../src/search/tokens.js';
import { WordIndex } from '../../src/search/wordIndex.js';

const word = fc.constantFrom('apple', 'Birne', 'cherry', '梅雨', 'getUser', 'café', 'v1.2', '');
const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));

function occurrences(terms: readonly string[], term: string): number {
  return terms.filter((other) => other === term).length;
}

/** BM25 as written down in the literature, recomputed from all texts. */
function slowScores(texts: ReadonlyMap<number, string>, query: string): Map<number, number> {
  const documents = [...texts].map(([slot, content]) => ({ slot, terms: tokenize(content) }));
  const average = documents.reduce((sum, { terms }) => sum + terms.length, 0) / documents.length;
  const scores = new Map<number, number>();
  for (const term of tokenize(query)) {
    const having = documents.filter(({ terms }) => terms.includes(term));
    const idf = Math.log(1 + (documents.length - having.length + 0.5) / (having.length + 0.5));
    for (const { slot, terms } of having) {
      const tf = occurrences(terms, term);
      const norm = 1.2 * (1 - 0.75 + (0.75 * terms.length) / average);
      scores.set(slot, (scores.get(slot) ?? 0) + (idf * tf * 2.2) / (tf + norm));
    }
  }
  return scores;
}

function assertSameRanking(
  index: WordIndex,
  texts: ReadonlyMap<number, string>,
  query: string,
  limit: number,
): void {
  const accept = (slot: number): boolean => slot % 3 !== 1;
  const found = index.search(query, limit, accept);
  const scores = slowScores(texts, query);
  const best = [...scores].filter(([slot]) => accept(slot)).map(([, score]) => score);
  best.sort((a, b) => b - a);
  assert.equal(found.length, Math.min(limit, best.length));
  assert.equal(new Set(found.map(({ slot }) => slot)).size, found.length);
  found.forEach(({ slot, score }, place) => {
    assert.ok(accept(slot));
    // Its own score, and the one due in this place: together the same ranking up to rounding of equals.
    assert.ok(Math.abs(score - (scores.get(slot) ?? Number.NaN)) < 1e-6);
    assert.ok(Math.abs(score - (best[place] ?? Number.NaN)) < 1e-6);
  });
}

test('agrees with BM25 recomputed from scratch under random adding, removing, filters and limits', () => {
  const change = fc.record({ slot: fc.nat(25), content: fc.option(text) });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 80 }), text, fc.nat(30), (changes, query, limit) => {
      const index = new WordIndex();
      const texts = new Map<number, string>();
      for (const { slot, content } of changes) {
        const stored = texts.get(slot);
        index.remove(slot, stored ?? 'never stored');
        texts.delete(slot);
        if (content === null) continue;
        index.add(slot, content);
        texts.set(slot, content);
      }
      assert.equal(index.size, texts.size);
      assertSameRanking(index, texts, query, limit);
      assertSameRanking(index, texts, query, limit);
    }),
  );
});

test('removing everything leaves an empty index that works again', () => {
  const index = new WordIndex();
  for (let slot = 0; slot < 50; slot += 1) index.add(slot, `shared word number${slot}`);
  for (let slot = 0; slot < 50; slot += 1) index.remove(slot, `shared word number${slot}`);
  assert.equal(index.size, 0);
  assert.deepEqual(index.search('shared', 5), []);
  index.add(50, 'shared again');
  assertSameRanking(index, new Map([[50, 'shared again']]), 'shared', 5);
});

test('500 better matches that are refused do not hide an accepted one', () => {
  const index = new WordIndex();
  index.add(0, 'deploy somewhere else, with a good deal of other words around it');
  for (let slot = 1; slot <= 500; slot += 1) index.add(slot, 'deploy');
  assert.deepEqual(
    index.search('deploy', 1, (slot) => slot === 0).map(({ slot }) => slot),
    [0],
  );
});

test('of equal texts the newer comes first', () => {
  const index = new WordIndex();
  for (const slot of [3, 8, 5]) index.add(slot, 'rotate the signing key');
  assert.deepEqual(
    index.search('signing key', 3).map(({ slot }) => slot),
    [8, 5, 3],
  );
});

test('a filter that fails leaves the next search right', () => {
  const index = new WordIndex();
  index.add(0, 'one two');
  const before = index.search('one', 1);
  const failing = (): boolean => {
    throw new Error('filter');
  };
  assert.throws(() => index.search('one two', 1, failing), /filter/);
  assert.deepEqual(index.search('one', 1), before);
});

test('a text is added once, to a slot that is one', () => {
  const index = new WordIndex();
  index.add(0, '');
  assert.throws(() => index.add(0, 'again'), RangeError);
  assert.throws(() => index.add(-1, 'x'), RangeError);
  assert.throws(() => index.add(1.5, 'x'), RangeError);
  assert.equal(index.size, 1);
});

const MULTILINGUAL = [
  'Retry the upload with exponential backoff when the bucket answers 503',
  'Die Größe der Warteschlange steht in src/queue/limits.ts, Vorgabe 200',
  "Le déploiement échoue quand le cache n'est pas vidé avant l'étape finale",
  'ログイン画面の文字化けは文字コードをUTF-8にして直した',
  '数据库连接池耗尽时要先检查慢查询',
  '로그인 토큰이 만료되면 자동으로 갱신한다',
  'รีสตาร์ตเซิร์ฟเวอร์หลังแก้ไขไฟล์ตั้งค่า',
];

for (const [query, slot] of [
  ['upload backoff', 0],
  ['GRÖSSE Warteschlange', 1],
  ['grosse der queue', 1],
  ['limits.ts', 1],
  ['deploiement etape', 2],
  ['étape', 2],
  ['文字化け', 3],
  ['utf-8', 3],
  ['连接池', 4],
  ['慢查询怎么办', 4],
  ['토큰 만료', 5],
  ['เซิร์ฟเวอร์', 6],
  ['ไฟล์ตั้งค่าอยู่ที่ไหน', 6],
] as const) {
  test(`finds by words across languages: ${query}`, () => {
    const index = new WordIndex();
    MULTILINGUAL.forEach((content, at) => index.add(at, content));
    assert.equal(index.search(query, 1)[0]?.slot, slot);
  });
}
