import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DocumentFault, fromDocument, toDocument } from '../../src/extension/documents/memoryDocument.js';
import { BEFORE, memory, read } from './memoryContents.js';

describe('a document that cannot be read', () => {
  /** What is wrong with the front matter, and the words that say so. */
  const FAULTS: readonly (readonly [string, RegExp])[] = [
    ['task: [', /^The front matter is no YAML: ./],
    ['task: "a', /^The front matter is no YAML: ./],
    ['\ttask: a', /^The front matter is no YAML: ./],
    ['task: a: b', /^The front matter is no YAML: ./],
    ['task: *a', /^"task" has to be a text that is not empty\./],
    ['tags: [&a x, *a]', /^"tags" has to be a list of words/],
    ['task: a\n...\ntask: b', /^The front matter is no YAML: ./],
    ['just words', /^The front matter holds no keys\./],
    ['- task', /^The front matter holds no keys\./],
    ['title: a', /^"title" in the front matter is unknown\. .* task, tags, expires, scope\.$/],
    ['Task: a', /^"Task" in the front matter is unknown\./],
    ['__proto__: a', /^"__proto__" in the front matter is unknown\./],
    ['constructor: a', /^"constructor" in the front matter is unknown\./],
    ['? [task]\n: a', /^"\[.+\]" in the front matter is unknown\./],
    ['<<: {task: a}', /^"<<" in the front matter is unknown\./],
    ['task: a\ntask: b', /^"task" is in the front matter twice\./],
    ['task:', /^"task" has to be a text that is not empty\./],
    ['task: "  "', /^"task" has to be a text that is not empty\./],
    ['task: [a]', /^"task" has to be a text that is not empty\./],
    ['tags: {a: b}', /^"tags" has to be a list of words/],
    ['tags: [[a]]', /^"tags" has to be a list of words/],
    ['tags: [a: b]', /^"tags" has to be a list of words/],
    ['scope: all', /^"scope" has to be project or global\./],
    ['scope:', /^"scope" has to be project or global\./],
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
    ].map(
      (date) => [`expires: ${date}`, /^"expires" has to be "never" or a date such as 2030-12-31\./] as const,
    ),
  ];

  for (const [front, expected] of FAULTS) {
    it(`says what is wrong, and that nothing was saved: ${JSON.stringify(front)}`, () => {
      assert.throws(() => read(front), faultSaying(expected));
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
      assert.throws(
        () => fromDocument(text, BEFORE),
        faultSaying(/^The document has to begin with its front matter/),
      );
    }
  });

  it('says so in one short line, however long the word that is wrong', () => {
    assert.throws(
      () => read(`"${'x\\n'.repeat(1000)}": a`),
      (error) =>
        error instanceof DocumentFault && error.message.length < 300 && !error.message.includes('\n'),
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
    assert.throws(() => read(`tags:\n${lines.join('\n')}`), faultSaying(/^"tags" has to be/));
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
      assert.throws(
        () => read(front),
        faultSaying(/^The front matter holds more than a task and tags\./),
        name,
      );
    }
    assert.throws(
      () => read(`task: ${'x'.repeat(1024 * 1024)}`),
      faultSaying(/^The front matter is too long/),
    );
  });

  it('names the line as the editor counts it', () => {
    assert.throws(() => read('scope: project\ntask: "a\\z"'), faultSaying(/ at line 3, column \d+\. /));
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
          assert.ok(faultSaying(/^[^\n]{1,300}$/)(error));
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

/** A fault for people: what is wrong, and that nothing was saved. */
function faultSaying(expected: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof DocumentFault, String(error));
    assert.match(error.message, expected);
    assert.match(error.message, /Nothing was saved/);
    return true;
  };
}
