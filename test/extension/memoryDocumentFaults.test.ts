import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DocumentFault, type FaultKind } from '../../src/extension/documents/documentFault.js';
import { fromDocument, fromDraft, toDocument } from '../../src/extension/documents/memoryDocument.js';
import { BEFORE, memory, read, withFront } from './memoryContents.js';

describe('a document that cannot be read', () => {
  /** Front matter, what is wrong with it, and which key or words say more. */
  const FAULTS: readonly (readonly [front: string, kind: FaultKind, detail?: RegExp])[] = [
    ['task: [', 'no-yaml', /./],
    ['task: "a', 'no-yaml', /./],
    ['\ttask: a', 'no-yaml', /./],
    ['task: a: b', 'no-yaml', /./],
    ['task: *a', 'task'],
    ['tags: [&a x, *a]', 'tags'],
    ['task: a\n...\ntask: b', 'no-yaml', /./],
    ['just words', 'no-keys'],
    ['- task', 'no-keys'],
    ['title: a', 'unknown-key', /^title$/],
    ['Task: a', 'unknown-key', /^Task$/],
    ['__proto__: a', 'unknown-key', /^__proto__$/],
    ['constructor: a', 'unknown-key', /^constructor$/],
    ['? [task]\n: a', 'unknown-key', /^\[.+\]$/],
    ['<<: {task: a}', 'unknown-key', /^<<$/],
    ['task: a\ntask: b', 'key-twice', /^task$/],
    ['task:', 'task'],
    ['task: "  "', 'task'],
    ['task: [a]', 'task'],
    ['tags: {a: b}', 'tags'],
    ['tags: [[a]]', 'tags'],
    ['tags: [a: b]', 'tags'],
    ['scope: all', 'scope'],
    ['scope:', 'scope'],
    ...[
      'soon',
      'tomorrow 5',
      '2030',
      '5',
      '31.12.2030',
      '2030-13-01',
      '2030-02-30',
      '2030-12-31T25:00',
      '[2030-12-31]',
    ].map((date) => [`expires: ${date}`, 'expires'] as const),
  ];

  for (const [front, kind, detail] of FAULTS) {
    it(`says what is wrong: ${JSON.stringify(front)}`, () => {
      assert.throws(() => read(front), fault(kind, detail));
    });
  }

  it('says so where there is no front matter', () => {
    for (const text of [
      '',
      'x',
      '---',
      '---\ntask: a',
      '--- \n',
      '\n---\ntask: a\n---\n',
      '----\na\n----\n',
    ]) {
      assert.throws(() => fromDocument(text, BEFORE), fault('no-front-matter'));
    }
  });

  for (const [name, text] of Object.entries({
    'nothing below the front matter': withFront('scope: global', ''),
    'the end of the front matter as its end': '---\nscope: global\n---',
    'an empty line': '---\nscope: global\n--- \n\n',
    'white space': withFront('scope: global', ' \n\t\u00a0\r\n'),
  })) {
    it(`says that an answer that was there is missing: ${name}`, () => {
      assert.throws(() => fromDocument(text, BEFORE), fault('no-answer'));
      for (const before of [BEFORE, memory({ answer: '' })]) {
        assert.throws(() => fromDraft(text, before), fault('no-answer-in-draft'));
      }
    });
  }

  it('says so in one short line, however long the word that is wrong', () => {
    assert.throws(
      () => read(`"${'x\\n'.repeat(1000)}": a`),
      (error) =>
        error instanceof DocumentFault &&
        error.detail.length > 0 &&
        error.detail.length <= 100 &&
        !error.detail.includes('\n'),
    );
  });

  it('runs no code and makes no object of YAML tags', () => {
    for (const tag of [
      '!!js/function',
      '!!js/undefined',
      '!!python/object',
      '!!int',
      '!!timestamp',
      '!!binary',
      '!x',
    ]) {
      assert.equal(read(`task: ${tag} "2001"`).task, '2001', tag);
    }
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  it('is not blown up by aliases of aliases', () => {
    const lines = Array.from({ length: 30 }, (_, level) => {
      const below = level === 0 ? 'x' : `*a${level - 1}`;
      return `  - &a${level} [${Array.from({ length: 9 }, () => below).join(', ')}]`;
    });
    assert.throws(() => read(`tags:\n${lines.join('\n')}`), fault('tags'));
  });

  it('is refused and holds nobody up, whatever fills it', () => {
    const size = 300 * 1024;
    const fills = {
      keys: Array.from({ length: size / 10 }, (_, index) => `k${index}: a`).join('\n'),
      'keys that are the same': 'task: a\n'.repeat(size / 8),
      brackets: `task: ${'['.repeat(size)}`,
      'brackets at the end': ']'.repeat(size),
      'few brackets': `tags: ${'['.repeat(30)}${']'.repeat(30)}`,
      indents: Array.from({ length: 700 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      dashes: `- ${'-\n- '.repeat(size / 4)}`,
      'dashes in a row': '- '.repeat(size / 2),
      questions: '? '.repeat(size / 2),
      quotes: `task: ${'"'.repeat(size)}`,
      commas: `tags: [${','.repeat(size)}]`,
      anchors: `tags: [${'&a x, *a, '.repeat(size / 12)}]`,
      'empty lines': '\n'.repeat(size),
    };
    for (const [name, front] of Object.entries(fills)) {
      assert.throws(() => read(front), fault('front-matter-too-full'), name);
    }
    assert.throws(() => read(`task: ${'x'.repeat(1024 * 1024)}`), fault('front-matter-too-long'));
  });

  it('names the line as the editor counts it', () => {
    assert.throws(() => read('scope: project\ntask: "a\\z"'), fault('no-yaml', / at line 3, column \d+$/));
  });

  it('is told apart from a memory, whatever is typed into its front matter', () => {
    const signs = [
      'task',
      'tags',
      'expires',
      ': ',
      ':',
      '- ',
      '-',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '#',
      '&a ',
    ];
    const more = [
      '*a',
      '!',
      '!!str ',
      '|',
      '>',
      '%',
      '@',
      '?',
      '? ',
      '<<',
      '\n',
      '\n  ',
      '\t',
      '\\',
      ' ',
      'a',
      '...',
    ];
    const typed = fc
      .array(fc.constantFrom(...signs, ...more), { maxLength: 30 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(typed, fc.string({ unit: 'binary' })), (front) => {
        try {
          const { task, tags, answer } = read(front);
          assert.notEqual(task.trim(), '');
          assert.ok(tags.every((tag) => typeof tag === 'string'));
          assert.equal(typeof answer, 'string');
        } catch (error) {
          assert.ok(error instanceof DocumentFault);
          assert.match(error.detail, /^[^\n]{0,100}$/);
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('is none where it holds the longest task and tags there can be', () => {
    const one = memory({
      task: '\x1f'.repeat(64 * 1024),
      tags: Array.from({ length: 100 }, (_, index) => `${'\x1f'.repeat(96)}${index}`),
    });
    assert.deepEqual(fromDocument(toDocument(one), one), one);
  });
});

function fault(kind: FaultKind, detail = /^$/): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DocumentFault, String(error));
    assert.equal(error.kind, kind);
    assert.match(error.detail, detail);
    return true;
  };
}
