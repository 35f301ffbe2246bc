import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addressOf, DOCUMENT_KINDS, documentPath } from '../../src/extension/documents/memoryUri.js';

const ADDRESS = { kind: 'memory', id: '42' } as const;
const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

/** The name of the tab of a document with this title. */
function tabOf(title: string): string {
  return documentPath(ADDRESS, title).slice('/memory/42/'.length);
}

describe('the path of a document', () => {
  it('leads back to its kind and id, whatever the title', () => {
    const anyId = anyText.filter((id) => id !== '');
    fc.assert(
      fc.property(fc.constantFrom(...DOCUMENT_KINDS), anyId, anyText, (kind, id, title) => {
        assert.deepEqual(addressOf(documentPath({ kind, id }, title)), { kind, id });
      }),
      { numRuns: 1000 },
    );
  });

  it('leads back to a question, which is part of the id of a draft', () => {
    const id = JSON.stringify(['42', 'Why does a/b "fail" 100 % of the time?\n\ud800']);
    assert.deepEqual(addressOf(documentPath({ kind: 'split', id }, 'Why')), { kind: 'split', id });
  });

  it('has three parts and a name that any editor and any system takes', () => {
    fc.assert(
      fc.property(anyText, (title) => {
        const name = tabOf(title);
        assert.doesNotMatch(name, /[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|#%]/u);
        assert.match(name, /^[^\s].*\.md$/su);
        assert.doesNotMatch(name, /[. ]\.md$/);
        assert.match(name, /^.{4,63}$/su);
      }),
      { numRuns: 1000 },
    );
  });

  for (const [title, name] of [
    ['Release a version', 'Release a version.md'],
    ['', 'memory.md'],
    [' \n\t', 'memory.md'],
    ['.', 'memory.md'],
    ['..', 'memory.md'],
    ['a..', 'a.md'],
    ['/', 'memory.md'],
    ['../../etc/passwd', '.. .. etc passwd.md'],
    ['C:\\a?b*c', 'C a b c.md'],
    ['50% of #1', '50 of 1.md'],
    ['a\nb\r\nc\u2028d', 'a b c d.md'],
    ['\u202eright to left\u202c', 'right to left.md'],
    ['a\u200fb\u200bc', 'a b c.md'],
    ['🙂 emoji', '🙂 emoji.md'],
    ['half\ud83d', 'half.md'],
    ['版をリリースする', '版をリリースする.md'],
    ['é', 'é.md'],
    ['x'.repeat(10_000), `${'x'.repeat(60)}.md`],
    ['🙂'.repeat(10_000), `${'🙂'.repeat(60)}.md`],
    [`${'x'.repeat(59)} ${'y'.repeat(10)}`, `${'x'.repeat(59)}.md`],
  ] as const) {
    it(`names the tab of ${JSON.stringify(title.slice(0, 40))}`, () => {
      assert.equal(tabOf(title), name);
      assert.deepEqual(addressOf(documentPath(ADDRESS, title)), ADDRESS);
    });
  }

  it('is the same document under another name', () => {
    assert.deepEqual(addressOf('/memory/42/anything.md'), ADDRESS);
  });
});

describe('a path that is no address', () => {
  for (const path of [
    ...['', '/', '/memory', '/memory/', '/memory/42', '/memory/42/', '/memory//x.md', '//42/x.md'],
    ...['memory/42/x.md', '/other/42/x.md', '/Memory/42/x.md', '/toString/42/x.md', '/memory/a/b/c.md'],
    ...['/memory/42/x.md/', '/memory/%/x.md', '/memory/%zz/x.md', '/memory/%ff/x.md'],
    // What editors look for beside a document.
    ...[
      '/memory/42/.editorconfig',
      '/memory/42/package.json',
      '/memory/42/x',
      '/memory/42/.md',
      '/.vscode/a/b',
    ],
  ]) {
    it(JSON.stringify(path), () => assert.equal(addressOf(path), null));
  }
});
