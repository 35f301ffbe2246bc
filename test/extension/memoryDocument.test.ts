import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  fromDocument,
  fromDraft,
  toDocument,
  type MemoryContent,
} from '../../src/extension/documents/memoryDocument.js';
import { BEFORE, memory, read, withFront } from './memoryContents.js';

/** Words that mean something to YAML, or to people who write it. */
const SPECIAL = [
  ...['yes', 'no', 'on', 'off', 'true', 'False', 'null', '~', 'NULL', '.inf', '.NaN', '<<', '=', 'never'],
  ...['1.0', '1.10', '007', '0x1F', '0o7', '1e3', '1_000', '-0', '+1', '12:30:45', '2024-01-01'],
  ...['2024-01-01T00:00:00Z', '---', '...', '-', '?', ':', '- a', '? a', 'a: b', 'a:', ': a', '# a', 'a # b'],
  ...['&a', '*a', '!a', '!!js/function "x"', '|', '>', '|-', '%YAML 1.2', '@a', '`a`', '{a: b}', '[a]', ','],
  ...[
    '"a"',
    "'a'",
    "it's",
    '"',
    "'",
    '\\n',
    '\\',
    'a\nb',
    'a\n',
    '\na',
    '\n',
    '\n\n',
    ' \n',
    ' \n \n',
    'a \nb\n',
    'a\n---\nb',
    '---\na',
  ],
  ...[
    'a\r\nb',
    'a\rb',
    '\ta',
    'a\t',
    ' a',
    'a ',
    '  a\n b',
    'a\n  b\n',
    '#',
    '\uFEFFa',
    'a\u2028b',
    '\u0085',
  ],
  ...['\0', '\x1f', '\x18', '\x02', '\x7f', '日本語: メモ', '👩‍👩‍👧 #1', '\u202eabc', 'null: no', 'e\u0301'],
];

const PLAIN_OBJECTS = { noNullPrototype: true } as const;

const anyText = fc.oneof(
  fc.constantFrom(...SPECIAL),
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.array(fc.constantFrom(...SPECIAL, ' ', '\n', '\r\n'), { maxLength: 6 }).map((parts) => parts.join('')),
);

const anyMemory: fc.Arbitrary<MemoryContent> = fc.record(
  {
    task: anyText.filter((text) => text.trim() !== ''),
    answer: fc.oneof(
      anyText,
      fc
        .tuple(fc.constantFrom('---', '---\n', '\n', '\n\n\n', '\r\n', '# ', ''), anyText)
        .map((two) => two.join('')),
      fc.array(anyText, { maxLength: 5 }).map((lines) => lines.join('\r\n')),
    ),
    tags: fc.uniqueArray(anyText, { maxLength: 5 }),
    expiresAt: fc.option(
      fc.oneof(fc.integer({ min: -1e12, max: 1e13 }), fc.double({ min: 0, max: 1e11, noNaN: true })),
    ),
    scope: fc.constantFrom('project', 'global'),
  },
  PLAIN_OBJECTS,
);

describe('a memory that is opened and saved as it is', () => {
  it('is the same memory, whatever it says', () => {
    fc.assert(
      fc.property(anyMemory, (one) => {
        assert.deepEqual(fromDocument(toDocument(one, ['Saving changes the memory.']), one), one);
      }),
      { numRuns: 1000 },
    );
  });

  it('is the same with each word that means something to YAML as its task, its only tag and its answer', () => {
    for (const word of SPECIAL) {
      const one = memory({ task: `x${word}`, tags: [word], answer: word });
      assert.deepEqual(fromDocument(toDocument(one), one), one, JSON.stringify(word));
      if (word.trim() === '') continue;
      const other = memory({ task: word, tags: [word, 'x'] });
      assert.deepEqual(fromDocument(toDocument(other), other), other, JSON.stringify(word));
    }
  });

  it('is the same after an editor wrote all line ends anew, and one at the very end', () => {
    fc.assert(
      fc.property(anyMemory, fc.constantFrom('\n', '\r\n'), fc.boolean(), (one, lineEnd, atEnd) => {
        const text = toDocument(one).replace(/\r\n?|\n/g, lineEnd) + (atEnd ? lineEnd : '');
        assert.deepEqual(fromDocument(text, one), one);
      }),
      { numRuns: 1000 },
    );
  });

  it('says everything in the document itself', () => {
    const plain = anyText.map((text) => text.replace(/\r\n?/g, ' ').trim()).filter((text) => text !== '');
    const written = fc.record(
      {
        task: plain,
        answer: plain,
        tags: fc.uniqueArray(plain, { maxLength: 5 }),
        expiresAt: fc.option(fc.integer({ min: -1e11, max: 8e12 })),
        scope: fc.constantFrom('project' as const, 'global' as const),
      },
      PLAIN_OBJECTS,
    );
    const nothing = memory({ task: 'other', answer: 'other', tags: ['other'], expiresAt: 1 });
    fc.assert(
      fc.property(written, (one) => {
        assert.deepEqual(fromDocument(toDocument(one), nothing), one);
      }),
      { numRuns: 1000 },
    );
  });

  it('can be opened with a lifetime longer than any calendar, which stays', () => {
    const one = memory({ expiresAt: 1e300 });
    assert.match(toDocument(one), /^expires: never$/m);
    assert.deepEqual(fromDocument(toDocument(one), one), one);
  });

  it('keeps the fraction of a second of its end', () => {
    const one = memory({ expiresAt: 1_900_000_000.75 });
    assert.match(toDocument(one), /^expires: 2030-03-17T17:46:40Z$/m);
    assert.deepEqual(fromDocument(toDocument(one), one), one);
  });

  it('may begin with a byte order mark', () => {
    assert.deepEqual(fromDocument(`\uFEFF${toDocument(BEFORE)}`, BEFORE), BEFORE);
  });

  it('shows hints as comments, which are not part of it', () => {
    const text = toDocument(BEFORE, ['First: hint', 'Second']);
    assert.ok(text.startsWith('---\n# First: hint\n# Second\ntask: Release a version\n'), text);
    assert.deepEqual(fromDocument(text, BEFORE), BEFORE);
  });
});

describe('an edited document', () => {
  it('says the same of a draft', () => {
    const text = withFront('scope: global\ntags: x', 'Other');
    assert.deepEqual(fromDraft(text, BEFORE), fromDocument(text, BEFORE));
    assert.deepEqual(fromDraft(toDocument(BEFORE), BEFORE), BEFORE);
  });

  it('gives the answer as it was written, to the last character', () => {
    for (const answer of ['Other', 'Other\n\n', '---\nx', '\n\nx', BEFORE.answer + '!', '  x  ']) {
      assert.equal(fromDocument(withFront('scope: project', answer), BEFORE).answer, answer);
    }
  });

  it('may lose the empty line below its front matter', () => {
    const text = `---\nscope: global\n---\n${BEFORE.answer}`;
    assert.deepEqual(fromDocument(text, BEFORE), memory({ scope: 'global' }));
  });

  it('may end with its front matter where there was no answer before', () => {
    for (const answer of ['', ' ', '\n']) {
      const before = memory({ answer });
      for (const end of [answer, `${answer}\n`]) {
        const text = withFront('scope: global', end);
        assert.deepEqual(fromDocument(text, before), memory({ scope: 'global', answer }));
      }
    }
    const empty = memory({ answer: '' });
    assert.equal(fromDocument('---\nscope: global\n---', empty).answer, '');
  });

  it('keeps what its front matter leaves out', () => {
    const before = memory({ tags: ['a'], expiresAt: 1.5, scope: 'global' });
    for (const front of ['', '# a comment', 'task: Release a version']) {
      assert.deepEqual(read(front, before), before, front);
    }
    assert.deepEqual(fromDocument(`---\n---\n\nx\n---\ny`, before), { ...before, answer: 'x\n---\ny' });
  });

  it('has texts for values, however they look', () => {
    const cases: readonly (readonly [string, Partial<MemoryContent>])[] = [
      ['task: no', { task: 'no' }],
      ['task: 1.10', { task: '1.10' }],
      ['task: 2024-01-01', { task: '2024-01-01' }],
      ['task: |\n  a\n  b', { task: 'a\nb\n' }],
      ['task: "a: b # c"', { task: 'a: b # c' }],
      ['tags: [1.10, 007, yes, null, 2024-01-01]', { tags: ['1.10', '007', 'yes', 'null', '2024-01-01'] }],
      ['tags:\n  - b\n  - a', { tags: ['b', 'a'] }],
    ];
    for (const [front, change] of cases) assert.deepEqual(read(front), memory(change), front);
  });

  it('has the task it had where that is only written as lines', () => {
    for (const [task, front] of [
      ['Release a version', 'task: |\n  Release a version'],
      ['first\r\nsecond', 'task: |-\n  first\n  second'],
    ] as const) {
      assert.equal(read(front, memory({ task })).task, task);
    }
  });

  it('may name a single tag without a list, and none in any way', () => {
    assert.deepEqual(read('tags: npm').tags, ['npm']);
    for (const front of ['tags:', 'tags: []', 'tags: null', 'tags: ~', 'tags: ""', "tags: ['', ' ']"]) {
      assert.deepEqual(read(front).tags, [], front);
    }
  });

  it('names each tag once and without blanks around it, in the order written', () => {
    assert.deepEqual(read('tags: [b, " a ", b, "a"]').tags, ['b', 'a']);
  });

  it('may say when a memory ends as a day, as a time or as never', () => {
    const before = memory({ expiresAt: 5 });
    const cases: readonly (readonly [string, number | null])[] = [
      ['2030-12-31', Date.UTC(2030, 11, 31) / 1000],
      ['"2030-12-31"', Date.UTC(2030, 11, 31) / 1000],
      ['2030-12-31T10:20:30Z', Date.UTC(2030, 11, 31, 10, 20, 30) / 1000],
      ['2030-12-31T10:20:30.500Z', Date.UTC(2030, 11, 31, 10, 20, 30, 500) / 1000],
      ['2030-12-31T10:20+02:00', Date.UTC(2030, 11, 31, 8, 20) / 1000],
      ['2030-12-31 10:20', new Date(2030, 11, 31, 10, 20).getTime() / 1000],
      ['2028-02-29', Date.UTC(2028, 1, 29) / 1000],
      ['never', null],
      ['null', null],
      ['~', null],
      ['', null],
    ];
    for (const [written, expected] of cases) {
      assert.equal(read(`expires: ${written}`, before).expiresAt, expected, written);
    }
  });

  it('may be made for all projects, and for its own again', () => {
    assert.equal(read('scope: global').scope, 'global');
    assert.equal(read('scope: project', memory({ scope: 'global' })).scope, 'project');
  });
});
