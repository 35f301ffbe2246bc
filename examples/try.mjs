// npm run try [-- file.jsonl]: the built server, a real client, the real model, a store that is thrown away.
import { access } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { readQuestions, readTasks } from './jsonLines.mjs';
import { answerTable, connectLines, driftLines, statsLines, summaryLines } from './report.mjs';
import { connect, createPlace, serverFile, ToolError } from './session.mjs';
import { hurried, passed } from './verdict.mjs';

/**
 * @typedef {import('./jsonLines.mjs').Task} Task
 * @typedef {import('./verdict.mjs').Asked} Asked
 * @typedef {import('./verdict.mjs').Question} Question
 * @typedef {Awaited<ReturnType<typeof connect>>} Session
 */

const MODEL_PATIENCE_MS = 20_000;
const ownFile = process.argv[2];
const terminal = {
  width: process.stdout.columns ?? 140,
  live: process.stdout.isTTY === true,
  colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
};

/** @type {Awaited<ReturnType<typeof createPlace>> | undefined} */
let place;
/** @type {Session | undefined} */
let session;
let stopped = false;

// Closing the session makes the call under way fail, so main() unwinds and the place is removed.
const stop = () => {
  stopped = true;
  void session?.close();
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
process.stdout.on('error', stop);

try {
  process.exitCode = (await main()) ? 0 : 1;
} catch (error) {
  process.exitCode = stopped ? 130 : 1;
  if (!stopped) console.error(`\n${/** @type {Error} */ (error).message}\n${session?.log() ?? ''}`.trimEnd());
} finally {
  await session?.close();
  await place?.remove();
}

async function main() {
  const { tasks, questions } = await load();
  place = await createPlace();
  session = await start(place);
  const { tools } = await session.client.listTools();
  const { name, version } = session.client.getServerVersion() ?? {};
  console.log(`${name} ${version} answers over stdio with ${tools.length} tools`);
  const refused = await remember(session, tasks);

  await session.close();
  await place.killHost();
  session = await start(place);
  console.log(
    'its process was killed and started anew: every answer below comes from what it wrote to disk\n',
  );
  const asked = await ask(
    session,
    questions.filter(({ task }) => !refused.has(task)),
  );
  print(answerTable(asked, terminal));
  print(['', ...summaryLines(asked)]);
  print(['', 'Drift report', ...driftLines(await session.call('drift_report'))]);
  print(['', 'Stats', ...statsLines(await session.call('stats'))]);
  print(['', 'Connect a client of yours', ...connectLines(serverFile)]);
  return passed(asked) && refused.size === 0;
}

/** @param {NonNullable<typeof place>} place */
async function start(place) {
  const started = await connect(place);
  if (!stopped) return started;
  await started.close();
  throw new Error('stopped');
}

/** @returns {Promise<{ tasks: Task[], questions: Question[] }>} */
async function load() {
  await access(serverFile).catch(() => fail(`${serverFile} does not exist: run "npm run build" first.`));
  if (ownFile === undefined) {
    const { tasks } = await readTasks(new URL('tasks.jsonl', import.meta.url));
    return { tasks, questions: await readQuestions(new URL('questions.jsonl', import.meta.url)) };
  }
  const { tasks, bad } = await readTasks(ownFile).catch((error) =>
    fail(
      `cannot read ${ownFile}: ${error.message}. Give a file of lines like {"task":"…","answer":"…","tags":["…"]}.`,
    ),
  );
  for (const { line, problem } of bad) console.error(`${ownFile} line ${line}: ${problem}; passed over`);
  if (tasks.length === 0) fail(`${ownFile} has no usable line; each needs "task" and "answer".`);
  return {
    tasks,
    questions: tasks.map(({ task }) => ({ question: hurried(task), expect: 'hit', kind: 'own task', task })),
  };
}

/**
 * The tasks the server refused.
 * @param {Session} session
 * @param {readonly Task[]} tasks
 */
async function remember(session, tasks) {
  /** @type {Set<string | undefined>} */
  const refused = new Set();
  /** @type {Map<string, number[]>} */
  const reasons = new Map();
  for (const [index, { task, answer, tags, line }] of tasks.entries()) {
    try {
      await session.call('remember', { task, answer, tags });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      refused.add(task);
      reasons.set(error.message, [...(reasons.get(error.message) ?? []), line]);
    }
    if (terminal.live) process.stdout.write(`\r\u001b[Kremembering ${index + 1} of ${tasks.length}`);
  }
  const clear = terminal.live ? '\r\u001b[K' : '';
  console.log(`${clear}remembered ${tasks.length - refused.size} of ${tasks.length} tasks`);
  for (const [reason, lines] of reasons) console.error(`refused line ${lines.join(', ')}: ${reason}`);
  if (refused.size === tasks.length) fail('Nothing was stored, so there is nothing to ask.');
  return refused;
}

/**
 * @param {Session} session
 * @param {readonly Question[]} questions
 */
async function ask(session, questions) {
  /** @type {Asked[]} */
  const asked = [];
  for (const question of questions) asked.push(await recall(session, question, asked.length === 0));
  return asked;
}

/**
 * @param {Session} session
 * @param {Question} question
 * @param {boolean} first on a slow machine the model may take longer than one recall waits for it
 * @returns {Promise<Asked>}
 */
async function recall(session, question, first) {
  const start = performance.now();
  try {
    let answer = await session.call('recall', { task: question.question });
    while (first && answer.degraded && performance.now() - start < MODEL_PATIENCE_MS) {
      await wait(200);
      answer = await session.call('recall', { task: question.question });
    }
    return { question, answer, problem: '', ms: performance.now() - start };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { question, answer: null, problem: error.message, ms: performance.now() - start };
  }
}

/** @param {readonly string[]} lines */
function print(lines) {
  for (const line of lines) console.log(line);
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  throw new Error(message);
}
