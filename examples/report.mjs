import { fit, tableLines } from './table.mjs';
import { HARD_NEGATIVE, percentile, verdictOf } from './verdict.mjs';

/** @typedef {import('./verdict.mjs').Asked} Asked */

const COLUMNS = /** @type {const} */ ([
  { title: 'kind', width: 13 },
  { title: 'question' },
  { title: 'result', width: 11 },
  { title: 'sim', width: 5, align: 'right' },
  { title: 'matched task' },
  { title: 'ms', width: 6, align: 'right' },
]);

const COLOURS = { 'right hit': 32, 'honest miss': 32, 'wrong hit': 31, missed: 33, error: 31 };

/**
 * @param {readonly Asked[]} all
 * @param {{ width: number, colour: boolean }} terminal
 */
export function answerTable(all, { width, colour }) {
  const rows = all.map((asked) => {
    const { question, answer, problem, ms } = asked;
    const verdict = verdictOf(asked);
    const similarity = answer ? Number(answer.similarity).toFixed(3) : '';
    const matched = answer ? (answer.task_text ?? nearest(answer)) : problem;
    /** @param {string} text */
    const paint = (text) => (colour ? `\u001b[${COLOURS[verdict]}m${text}\u001b[0m` : text);
    return { cells: [question.kind, question.question, verdict, similarity, matched, ms.toFixed(1)], paint };
  });
  return tableLines(COLUMNS, rows, width);
}

/** @param {Record<string, any>} answer */
function nearest(answer) {
  return answer.nearest ? `(nearest: ${answer.nearest.task_text})` : `(${answer.reason ?? 'nothing near'})`;
}

/**
 * @param {readonly Asked[]} all in order of asking
 */
export function summaryLines(all) {
  /** @param {string} verdict */
  const count = (verdict) => all.filter((asked) => verdictOf(asked) === verdict).length;
  const warm = all.slice(1).map(({ ms }) => ms);
  const later =
    warm.length > 0
      ? `recall p50 ${percentile(warm, 0.5).toFixed(1)} ms, p95 ${percentile(warm, 0.95).toFixed(1)} ms; `
      : '';
  const errors = count('error');
  const lines = [
    `${count('right hit')} right hits, ${count('honest miss')} honest misses, ${count('wrong hit')} wrong hits, ` +
      `${count('missed')} missed paraphrases${errors > 0 ? `, ${errors} errors` : ''}`,
    `${later}the first recall ${(all[0]?.ms ?? 0).toFixed(0)} ms, reading the store and loading the model included`,
  ];
  const wrong = all.filter((asked) => verdictOf(asked) === 'wrong hit');
  const fooled = wrong.filter(({ question }) => question.kind === HARD_NEGATIVE).length;
  if (fooled > 0) {
    const hard = all.filter(({ question }) => question.kind === HARD_NEGATIVE).length;
    lines.push(
      `${fooled} of ${hard} hard negatives got a neighbour's answer: recall compares meaning only, and the decision`,
      'gate that looks at numbers, negations and directions is not built yet. They do not decide the exit code.',
    );
  }
  for (const { question, answer } of wrong) {
    lines.push(`  asked ${oneLine(question.question)}`, `    got ${oneLine(answer?.task_text)}`);
  }
  return lines;
}

/** @param {string} text */
function oneLine(text) {
  return fit(text, 200).trimEnd();
}

/** @param {Record<string, any>} report */
export function driftLines(report) {
  const { analyzed_recalls, entries_with_hits, candidates } = report;
  const head = `${analyzed_recalls} recalls read, ${entries_with_hits} entries gave an answer.`;
  if (candidates.length === 0) return [`${head} None of them answers questions of very different closeness.`];
  return [
    `${head} These answer questions of very different closeness; is one answer right for all of them?`,
    ...candidates.flatMap((entry) => [
      `  ${oneLine(entry.task_text ?? '(forgotten)')}`,
      `    ${entry.hits} hits, ${entry.distinct_queries} wordings, similarity ${entry.similarity_min.toFixed(3)} ` +
        `to ${entry.similarity_max.toFixed(3)} (spread ${entry.similarity_spread.toFixed(3)})`,
    ]),
  ];
}

/** @param {Record<string, any>} stats */
export function statsLines(stats) {
  const { model } = stats;
  const reason = model.reason ? `: ${model.reason}` : '';
  return [
    `  model    ${model.name}, ${model.dimension} dimensions, ${model.state}${reason}`,
    `  runtime  ${model.runtime}`,
    `  rows     ${stats.total_entries} in this project, ${stats.without_vector} still without a vector`,
    `  bytes    ${stats.store_bytes} store, ${stats.log_bytes} log`,
    `  hits     ${(stats.hit_rate_last_100 * 100).toFixed(0)} % of the last recalls`,
    ...stats.health.map((/** @type {{ message: string }} */ { message }) => `  note     ${message}`),
  ];
}

/** @param {string} server absolute path of the built server */
export function connectLines(server) {
  const quoted = /\s/.test(server) ? `"${server}"` : server;
  return [
    `  Claude Code:    claude mcp add subconscious -- node ${quoted}`,
    '  other clients:  ' +
      JSON.stringify({ mcpServers: { subconscious: { command: 'node', args: [server] } } }),
  ];
}
