import { readFile } from 'node:fs/promises';

/**
 * @typedef {{ task: string, answer: string, tags: string[], line: number }} Task
 * @typedef {{ line: number, problem: string }} BadLine
 */

/**
 * Reads a file of one JSON object a line: {"task", "answer", "tags"?}. Lines that cannot be used are
 * returned with their number instead of ending the run; blank lines are passed over.
 * @param {string | URL} file
 * @returns {Promise<{ tasks: Task[], bad: BadLine[] }>}
 */
export async function readTasks(file) {
  /** @type {Task[]} */
  const tasks = [];
  /** @type {BadLine[]} */
  const bad = [];
  for (const { line, text } of await linesOf(file)) {
    const parsed = parse(text);
    if (typeof parsed === 'string') bad.push({ line, problem: parsed });
    else tasks.push({ ...parsed, line });
  }
  return { tasks, bad };
}

/**
 * The lines of a file of this repository, which hold what its tests say they hold.
 * @param {URL} file
 */
export async function readQuestions(file) {
  return (await linesOf(file)).map(({ text }) => JSON.parse(text));
}

/** @param {string | URL} file */
async function linesOf(file) {
  const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
  return text
    .split(/\r?\n/)
    .map((line, index) => ({ line: index + 1, text: line.trim() }))
    .filter((line) => line.text !== '');
}

/**
 * The task, or what is wrong with it.
 * @param {string} text
 */
function parse(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `not JSON (${/** @type {Error} */ (error).message})`;
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return 'not a JSON object';
  const { task, answer, tags = [] } = value;
  if (typeof task !== 'string' || task.trim() === '') return '"task" must be a text that is not blank';
  if (typeof answer !== 'string') return '"answer" must be a text';
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string'))
    return '"tags" must be a list of texts';
  return { task, answer, tags };
}
