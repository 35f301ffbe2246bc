import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';
import { filler, pem } from './redactBuilders.js';

const MASK = '[REDACTED:private_key]';

for (const kind of [
  'PRIVATE KEY',
  'RSA PRIVATE KEY',
  'EC PRIVATE KEY',
  'DSA PRIVATE KEY',
  'OPENSSH PRIVATE KEY',
  'ENCRYPTED PRIVATE KEY',
  'PGP PRIVATE KEY BLOCK',
]) {
  test(`a whole ${kind} goes, however its lines are written`, () => {
    for (const lineEnd of ['\n', '\r\n', '\n    ', '\n> ', '\\n', '\\\\n', '\\r\\n', ' ', '"\n+ "', '\n-']) {
      assert.equal(redact(`a\n${pem(kind, lineEnd)}\nb`).text, `a\n${MASK}\nb`);
    }
  });
}

test('an unfinished block goes to the end of what can belong to it', () => {
  const lines = pem('RSA PRIVATE KEY').split('\n').slice(0, -1);
  const headers = ['Proc-Type: 4,ENCRYPTED', `DEK-Info: AES-128-CBC,${filler('hex', 32)}`, ''];
  const [begin = '', ...body] = lines;
  for (const block of [lines, [begin, ...headers, ...body], [begin]]) {
    assert.equal(redact(block.join('\n')).text, MASK);
    assert.equal(redact(block.join('\\n')).text, MASK);
    assert.equal(redact(`${block.join('\n')}\nThen we went on.\n`).text, `${MASK}\nThen we went on.\n`);
  }
});

test('a block whose lines are numbered goes to its end, finished or not', () => {
  const lines = pem('RSA PRIVATE KEY').split('\n');
  for (const numbered of [
    (line: string, at: number) => `     ${at}→${line}`,
    (line: string, at: number) => `${at}\t${line}`,
    (line: string, at: number) => `${at}: ${line}`,
    (line: string, at: number) => `  ${at} | ${line}`,
  ]) {
    const [before = ''] = numbered('\0', 1).split('\0');
    assert.equal(redact(lines.map((line, at) => numbered(line, at + 1)).join('\n')).text, before + MASK);
    const unfinished = lines.slice(0, -1).map((line, at) => numbered(line, at + 1));
    assert.equal(redact(`${unfinished.join('\n')}\nThen.`).text, `${before}${MASK}\nThen.`);
  }
});

test('blocks one after the other stay apart', () => {
  const key = pem('PRIVATE KEY');
  const certificate = pem('CERTIFICATE');
  assert.equal(redact(`${key}\n${certificate}\n${key}`).text, `${MASK}\n${certificate}\n${MASK}`);
  const unfinished = key.slice(0, -40);
  assert.equal(redact(`${unfinished}\n${certificate}`).text, `${MASK}\n${certificate}`);
});

test('certificates and public keys stay', () => {
  for (const kind of [
    'CERTIFICATE',
    'PUBLIC KEY',
    'RSA PUBLIC KEY',
    'PGP PUBLIC KEY BLOCK',
    'CERTIFICATE REQUEST',
  ]) {
    const text = pem(kind);
    assert.deepEqual(redact(text), { text, findings: [] });
  }
});

const HIDDEN = '[REDACTED:private]';
const password = 'password=hunter2';

for (const [text, masked] of [
  ['a <private>b</private> c', `a ${HIDDEN} c`],
  ['a <PRIVATE >b\nc</Private\t> d', `a ${HIDDEN} d`],
  ['a <private>b', `a ${HIDDEN}`],
  ['a <PRIVATE>b', `a ${HIDDEN}`],
  ['a\n<private>\nb', `a\n${HIDDEN}`],
  ['Local<Private> New(Isolate* b);', 'Local<Private> New(Isolate* b);'],
  ['the class C<Private Use> and b', 'the class C<Private Use> and b'],
  ['the type Box<private> and b', 'the type Box<private> and b'],
  ['Box<private>a</private> b', `Box${HIDDEN} b`],
  ['a </private> b', 'a </private> b'],
  ['<private></private>', HIDDEN],
  ['<private>a</private><private>b</private>', HIDDEN + HIDDEN],
  ['<private>a <private>b</private> c</private> d', `${HIDDEN} d`],
  ['write `<private>` around it', 'write `<private>` around it'],
  ['write `<private>a</private>` around it', `write \`${HIDDEN}\` around it`],
  ['```<private>a\nb</private>```', `\`\`\`${HIDDEN}\`\`\``],
  ['```\n<private>a\nb</private>\n```', `\`\`\`\n${HIDDEN}\n\`\`\``],
  ['`<private>…</private>` marks it', '`<private>…</private>` marks it'],
  ['from `<private> to `</private>` it', 'from `<private> to `</private>` it'],
  ['<private reason="x">a</private> b', `${HIDDEN} b`],
  ['<private-key>a</private-key>', '<private-key>a</private-key>'],
  ['<private>use `a`</private> b', `${HIDDEN} b`],
  ['<private>say `</private>` in it</private> b', `${HIDDEN} b`],
  ['<privateer>a</privateer>', '<privateer>a</privateer>'],
  [`<private>${password}</private> ${password}`, `${HIDDEN} password=[REDACTED:assignment]`],
  [`<private>${pem('PRIVATE KEY')}</private>`, HIDDEN],
  [
    'DB_PASSWORD="hunter2 <private>x</private> y1"',
    `DB_PASSWORD="[REDACTED:assignment]${HIDDEN}[REDACTED:assignment]"`,
  ],
] as const) {
  test(`what is private: ${JSON.stringify(text).slice(0, 60)}`, () => {
    const { text: result, findings } = redact(text);
    assert.equal(result, masked);
    assert.equal(
      findings.some(({ rule }) => rule === 'private'),
      masked.includes(HIDDEN),
    );
  });
}
