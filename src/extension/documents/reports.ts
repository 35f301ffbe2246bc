import type { Drift, Episode } from '../results.js';

/** What a session did, for reading. */
export function episodeDocument({ task_text, project, directory, session_id, turns }: Episode): string {
  const head = [
    `# ${oneLine(task_text)}`,
    '',
    `Project ${project}, in \`${directory}\`, session \`${session_id}\`.`,
  ];
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
export function reportDocument({ analyzed_recalls, candidates }: Drift): string {
  const head = ['# Drift report', '', `Recalls of this project that were looked at: ${analyzed_recalls}.`];
  if (candidates.length === 0) return [...head, '', 'No memory drifts.', ''].join('\n');
  const parts = candidates.flatMap((candidate) => [
    '',
    `## ${oneLine(candidate.task_text)}`,
    '',
    `Hits: ${candidate.hits}, questions: ${candidate.distinct_queries}, similarity ${twoDecimals(candidate.similarity_min)} to ${twoDecimals(candidate.similarity_max)}` +
      `${candidate.reviewed ? '; marked as reviewed' : ''}.`,
    '',
    '| similarity | times | question |',
    '| --- | --- | --- |',
    ...candidate.questions.map(
      ({ text, count, similarity_min }) => `| ${twoDecimals(similarity_min)} | ${count} | ${cell(text)} |`,
    ),
  ]);
  return [...head, ...parts, ''].join('\n');
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function twoDecimals(value: number): string {
  return value.toFixed(2);
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
