import type { Drift, DriftCandidate, Episode } from '../results.js';

/** What stands in the transcript of a session besides what was said in it, in the language of the editor. */
export interface EpisodeWords {
  /** The last two stand as code. */
  readonly where: (project: string, directory: string, session: string) => string;
}

/** What stands in the drift report besides memories and questions, in the language of the editor. */
export interface ReportWords {
  readonly title: string;
  readonly analyzed: (recalls: number) => string;
  readonly none: string;
  readonly sums: (hits: number, questions: number, lowest: string, highest: string) => string;
  readonly reviewed: string;
  readonly columns: readonly [similarity: string, times: string, question: string];
}

/** What a session did, for reading. */
export function episodeDocument(episode: Episode, { where }: EpisodeWords): string {
  const { task_text, project, directory, session_id, turns } = episode;
  const head = [`# ${oneLine(task_text)}`, '', where(project, `\`${directory}\``, `\`${session_id}\``)];
  const parts = turns.flatMap(({ task, outcome, at }, index) => [
    '',
    `## ${index + 1}. ${timeOf(at)}`,
    '',
    ...quoted(task),
    '',
    outcome,
  ]);
  return [...head, ...parts, ''].join('\n');
}

/** Memories that may be serving several tasks, for reading. */
export function reportDocument({ analyzed_recalls, candidates }: Drift, words: ReportWords): string {
  const head = [`# ${words.title}`, '', words.analyzed(analyzed_recalls)];
  if (candidates.length === 0) return [...head, '', words.none, ''].join('\n');
  const parts = candidates.flatMap((candidate) => [
    '',
    `## ${oneLine(candidate.task_text)}`,
    '',
    sums(candidate, words),
    '',
    row(words.columns),
    row(['---', '---', '---']),
    ...candidate.questions.map(({ text, count, similarity_min }) =>
      row([twoDecimals(similarity_min), String(count), cell(text)]),
    ),
  ]);
  return [...head, ...parts, ''].join('\n');
}

function sums(candidate: DriftCandidate, { sums: say, reviewed: mark }: ReportWords): string {
  const { hits, distinct_queries, similarity_min, similarity_max, reviewed } = candidate;
  const said = say(hits, distinct_queries, twoDecimals(similarity_min), twoDecimals(similarity_max));
  return reviewed ? `${said} ${mark}` : said;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function twoDecimals(value: number): string {
  return value.toFixed(2);
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function cell(text: string): string {
  return oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|');
}

function quoted(text: string): string[] {
  return text.split(/\r\n|\r|\n/).map((line) => `> ${line}`.trimEnd());
}

function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}
