/**
 * @typedef {'right hit' | 'honest miss' | 'wrong hit' | 'missed' | 'error'} Verdict
 * @typedef {{ question: string, expect: 'hit' | 'miss', kind: string, task?: string }} Question
 * @typedef {{ question: Question, answer: Record<string, any> | null, problem: string, ms: number }} Asked
 */

export const HARD_NEGATIVE = 'hard negative';

/**
 * @param {Asked} asked
 * @returns {Verdict}
 */
export function verdictOf({ question, answer }) {
  if (!answer) return 'error';
  if (!answer.hit) return question.expect === 'hit' ? 'missed' : 'honest miss';
  const own = question.expect === 'hit' && fold(answer.task_text) === fold(question.task ?? '');
  return own ? 'right hit' : 'wrong hit';
}

/**
 * Did everything go as it must? Hard negatives are shown and counted, but only an error among them decides.
 * @param {readonly Asked[]} all
 */
export function passed(all) {
  return all.every((asked) => {
    const verdict = verdictOf(asked);
    if (asked.question.kind === HARD_NEGATIVE) return verdict !== 'error';
    return verdict === 'right hit' || verdict === 'honest miss';
  });
}

/**
 * Nearest-rank percentile; 0 of nothing.
 * @param {readonly number[]} values
 * @param {number} share 0..1
 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

/**
 * A task asked again by someone who types in a hurry: lower case, no punctuation.
 * @param {string} task
 */
export function hurried(task) {
  const words = task
    .toLowerCase()
    .replace(/\p{P}+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return words === '' ? task : words;
}

/** @param {string} text */
function fold(text) {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim();
}
