import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  episodeDocument,
  oneLine,
  reportDocument,
  type EpisodeWords,
  type ReportWords,
} from '../../src/extension/documents/reports.js';
import type { DriftCandidate, Episode, Question } from '../../src/extension/results.js';

/** Of another language than the code: what would stand there by itself is seen. */
const REPORT_WORDS: ReportWords = {
  title: 'Driftbericht',
  analyzed: (recalls) => `Betrachtet: ${recalls}.`,
  none: 'Nichts.',
  sums: (hits, questions, lowest, highest) => `${hits}/${questions}, ${lowest} bis ${highest}.`,
  reviewed: 'Gesehen.',
  columns: ['Nähe', 'Anzahl', 'Frage'],
};
const EPISODE_WORDS: EpisodeWords = {
  where: (project, directory, session) => `Projekt ${project}, in ${directory}, Sitzung ${session}.`,
};

const AT = Date.UTC(2026, 10, 30, 9, 5) / 1000;

function episode(change: Partial<Episode> = {}): Episode {
  return {
    entry_id: '1',
    project: 'shop',
    directory: '/srv/shop',
    session_id: 's-1',
    status: 'ingested',
    stored_at: AT,
    task_text: 'Fix the build',
    turns: [{ task: 'Fix the build', outcome: 'The cache was stale.', at: AT }],
    kept_as: null,
    ...change,
  };
}

function transcript(one: Episode): string {
  return episodeDocument(one, EPISODE_WORDS);
}

function question(text: string, change: Partial<Question> = {}): Question {
  return { text, similarity_min: 0.861, similarity_max: 0.9, count: 2, last_at: AT, ...change };
}

function candidate(questions: readonly Question[], change: Partial<DriftCandidate> = {}): DriftCandidate {
  return {
    entry_id: '1',
    task_text: 'Release',
    hits: 4,
    distinct_queries: questions.length,
    similarity_min: 0.855,
    similarity_max: 0.999,
    similarity_spread: 0.144,
    reviewed: false,
    questions,
    ...change,
  };
}

function reportOn(...candidates: readonly DriftCandidate[]): string {
  return reportDocument({ analyzed_recalls: 12, candidates }, REPORT_WORDS);
}

/** The cells of a row of a table, as a reader of Markdown finds them. */
function cells(row: string): string[] {
  const parts = row.match(/(?:\\[^]|[^|\\])+/g) ?? [];
  return parts.map((part) => part.trim().replace(/\\([|\\])/g, '$1'));
}

/** The rows with questions. */
function rowsOf(report: string): string[] {
  return report.split('\n').filter((line) => line.startsWith('| ') && !/^\| (?:Nähe|---) \|/.test(line));
}

describe('the drift report', () => {
  it('shows each candidate with its questions', () => {
    assert.equal(
      reportOn(
        candidate([question('How to release?'), question('Why?', { count: 1 })]),
        candidate([], { task_text: 'Two\n lines', reviewed: true }),
      ),
      [
        '# Driftbericht',
        '',
        'Betrachtet: 12.',
        '',
        '## Release',
        '',
        '4/2, 0.85 bis 1.00.',
        '',
        '| Nähe | Anzahl | Frage |',
        '| --- | --- | --- |',
        '| 0.86 | 2 | How to release? |',
        '| 0.86 | 1 | Why? |',
        '',
        '## Two lines',
        '',
        '4/0, 0.85 bis 1.00. Gesehen.',
        '',
        '| Nähe | Anzahl | Frage |',
        '| --- | --- | --- |',
        '',
      ].join('\n'),
    );
  });

  it('says so where nothing drifts', () => {
    assert.match(reportOn(), /\n\nNichts\.\n$/);
  });

  it('has one row for each question, whatever it says, with three cells', () => {
    const anyQuestion = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('|', '\\', '\n', '\r\n', '\u2028', ' ', '`', 'a'), { maxLength: 10 })
        .map((c) => c.join('')),
    );
    fc.assert(
      fc.property(fc.array(anyQuestion, { minLength: 1, maxLength: 4 }), (texts) => {
        const rows = rowsOf(reportOn(candidate(texts.map((text) => question(text)))));
        assert.equal(rows.length, texts.length);
        rows.forEach((row, index) => {
          const text = oneLine(texts[index] ?? '');
          assert.match(row, /^\| .* \|$/);
          assert.deepEqual(cells(row).slice(0, 3), ['0.86', '2', text]);
          assert.equal(cells(row).length, 3);
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps what was masked visible as such', () => {
    const mask = '[REDACTED:aws_access_key]';
    const report = reportOn(candidate([question(`Use ${mask}?`)], { task_text: `Log in with ${mask}` }));
    assert.equal(report.split(mask).length - 1, 2);
  });
});

describe('the transcript of a session', () => {
  it('shows what was asked and what came of it, turn by turn', () => {
    const turns = [
      { task: 'Fix the build\nand test', outcome: 'Done.\n\n- one', at: AT },
      { task: 'Again', outcome: '', at: AT + 61 },
    ];
    assert.equal(
      transcript(episode({ turns })),
      [
        '# Fix the build',
        '',
        'Projekt shop, in `/srv/shop`, Sitzung `s-1`.',
        '',
        '## 1. 2026-11-30 09:05',
        '',
        '> Fix the build',
        '> and test',
        '',
        'Done.',
        '',
        '- one',
        '',
        '## 2. 2026-11-30 09:06',
        '',
        '> Again',
        '',
        '',
        '',
      ].join('\n'),
    );
  });

  it('has a title of one line', () => {
    const [title, empty] = transcript(episode({ task_text: 'Fix\r\n  the\tbuild\n' })).split('\n');
    assert.deepEqual([title, empty], ['# Fix the build', '']);
  });

  it('quotes every line of a question, also an empty one and one of Windows', () => {
    const turns = [{ task: 'a\r\n\r\nb\rc', outcome: 'x', at: AT }];
    assert.match(transcript(episode({ turns })), /\n\n> a\n>\n> b\n> c\n\nx\n$/);
  });

  it('keeps what was masked visible as such', () => {
    const mask = '[REDACTED:private]';
    const turns = [{ task: `Use ${mask}`, outcome: `${mask}${mask}`, at: AT }];
    const text = transcript(episode({ task_text: mask, turns }));
    assert.equal(text.split(mask).length - 1, 4);
  });
});
