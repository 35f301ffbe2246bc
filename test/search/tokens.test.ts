import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { latinShare } from '../../src/search/latin.js';
import { tokenize } from '../../src/search/tokens.js';

for (const [text, terms] of [
  // Prose
  ['The quick fix, again: again!', 'the quick fix again again'],
  ["It's Anna's, don't touch", "it anna don't don touch"],
  ['“Anna’s” ‘note’', 'anna note'],
  ['wait...what a--b', 'wait what a b'],
  ['Straße Łódź naïve', 'straße strasse łódź lodz naïve naive'],
  ['Größe GRÖSSE', 'größe grosse grösse grosse'],
  ["L'été à İzmir", "l'été l'ete été ete à a i̇zmir izmir"],
  ['cafe\u0301 ＦＵＬＬ ﬁle', 'café cafe full file'],
  ['Ёлка Й', 'ёлка й'],
  // Identifiers
  ['getUserName', 'getusername get user name'],
  ['HTTPServer parseURLs iOS', 'httpserver http server parseurls parse url ios os'],
  ['user-name user_name __init__', 'user-name user name user_name user name __init__ init'],
  ['MAX_RETRY', 'max_retry max retry'],
  ['foo::bar obj.someField', 'foo::bar foo bar obj.somefield obj somefield some field'],
  ['src/search/tokens.ts', 'src/search/tokens.ts src search tokens.ts tokens ts'],
  ['C:\\code\\a.txt', 'c:/code/a.txt c code a.txt a txt'],
  ['~/.config ./x /etc/hosts', '.config config x etc/hosts etc hosts'],
  ['https://a.io/b?c=d', 'https://a.io/b https a.io a io b c d'],
  ['@scope/pkg@1.2', '@scope/pkg@1.2 scope/pkg@1.2 scope pkg 1.2 1 2'],
  ['--no-verify -f', '--no-verify no-verify no verify -f f'],
  ['C++ C# F#. .NET (.NET)', 'c++ c c# c f# f .net net .net net'],
  ['v1.2.3', 'v1.2.3 1.2.3 v1 2 3'],
  ['sha256 500ms k8s 10k 3fa9c1e', 'sha256 sha 256 500ms 500 ms k8s 10k 3fa9c1e'],
  ['$HOME #12 a#b', '$home home #12 12 a b'],
  // Scripts without spaces
  ['東京タワー', '東 京 東京 タ 京タ ワ タワ ー ワー'],
  ['ｶﾞﾗｽ、窓', 'ガ ラ ガラ ス ラス 窓'],
  ['Dockerの設定 --rmを', 'docker の 設 の設 定 設定 --rm rm を'],
  ['第3章', '第 3 章'],
  ['日志文件', '日 志 日志 文 志文 件 文件'],
  ['토큰 갱신', '토 큰 토큰 갱 신 갱신'],
  ['ที่นี่', 'ที่ นี่ ที่นี่'],
  ['ລາວ', 'ລ າ ລາ ວ າວ'],
  ['ខ្មែរ', 'ខ្ មែ ខ្មែ រ មែរ'],
  ['မြန်မာ', 'မြ န် မြန် မာ န်မာ'],
  ['𠮷野', '𠮷 野 𠮷野'],
  // What is no word
  ['', ''],
  [' \0\n ... --- ___ 👩‍👩‍👧 \ud800', ''],
  ['a\0b\ud800c\udc00d', 'a b c d'],
  ['1\ufe0f\u20e3 soft\u00adware', '1 software'],
] as const) {
  test(`terms of ${JSON.stringify(text)}`, () => {
    assert.deepEqual(tokenize(text), terms === '' ? [] : terms.normalize('NFKC').split(' '));
  });
}

test('an identifier is found however it is written', () => {
  for (const [query, text] of [
    ['user name', 'call getUserName()'],
    ['getusername', 'call getUserName()'],
    ['tokens.ts', 'see src/search/tokens.ts'],
    ['search/tokens', 'see src/search/tokens.ts'],
    ['src\\search\\tokens.ts', 'see src/search/tokens.ts'],
    ['no-verify', 'git commit --no-verify'],
    ['1.2.3', 'since v1.2.3'],
    ['net', 'built with .NET'],
    ['.NET', 'ASP.NET'],
  ] as const) {
    const terms = new Set(tokenize(text));
    assert.ok(
      tokenize(query).some((term) => terms.has(term)),
      `${query} in ${text}`,
    );
  }
});

test('normal forms and full-width letters make no difference', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      assert.deepEqual(tokenize(text.normalize('NFD')), tokenize(text.normalize('NFC')));
    }),
  );
});

test('any text at all gives terms without spaces', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (a, b) => {
      for (const term of tokenize(a + b)) assert.match(term, /^\S+$/u);
    }),
  );
});

test('words are the same in upper case, and a text adds its terms to those before it', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-zé]{1,8}$/)), (words) => {
      const text = words.join(' ');
      assert.deepEqual(tokenize(text.toUpperCase()), tokenize(text));
      assert.deepEqual(tokenize(`${text} ${text}`), [...tokenize(text), ...tokenize(text)]);
    }),
  );
});

// One unit repeated to half a million and a million characters: anything quadratic would take minutes here.
for (const unit of [
  'a',
  'aB',
  'a-',
  'a/',
  "a'",
  'a#',
  '_',
  '.',
  '-',
  '漢',
  'ที่',
  '𠮷',
  '\ud800',
  '\0',
  '\u0301\u0323',
  'ﾞ\u0301',
  'é',
]) {
  test(`a run without spaces is cut to a bounded number of terms: ${JSON.stringify(unit)}`, () => {
    const once = tokenize(unit.repeat(2 ** 19 / unit.length));
    const twice = tokenize(unit.repeat(2 ** 20 / unit.length));
    // Only "a#" is many words; of all others the rest of the run is dropped.
    if (unit === 'a#') assert.ok(twice.length <= 2 * once.length);
    else assert.deepEqual(twice, once);
    assert.ok(once.every((term) => term.length <= 256));
    if (unit !== 'a#') assert.ok(once.length < 40_000);
  });
}

test('terms grow with the text, not faster', () => {
  const sentence = 'The build of src/app.ts failed in v2.0 – 設定を直した。';
  const one = tokenize(sentence).length;
  assert.equal(tokenize(sentence.repeat(5000)).length, one * 5000);
});

test('share of Latin letters', () => {
  assert.equal(latinShare('plain English, v1.2 ß é'), 1);
  assert.equal(latinShare('設定を直す'), 0);
  assert.equal(latinShare('ab設定'), 0.5);
  assert.equal(latinShare('123 …'), 1);
  assert.equal(latinShare(''), 1);
});
