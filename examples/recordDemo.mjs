// node examples/recordDemo.mjs: plays the session below against the built server and writes demo_session.md.
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { format, resolveConfig } from 'prettier';
import { createPlace } from './session.mjs';

const QUESTIONS = {
  stored: 'Find the slowest queries in PostgreSQL',
  reworded: 'How can I find the slowest PostgreSQL queries?',
  farther: 'Which PostgreSQL queries are the slowest?',
};

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} text
 * @property {string} method
 * @property {Record<string, unknown>} [params]
 * @property {boolean} [notification]
 * @property {boolean} [shortened] tools/list without the schemas, which fill pages
 */

/** @type {readonly Step[]} */
const STEPS = [
  {
    title: 'Connect',
    text: 'The client says who it is; the server answers at once, before it has opened the store or loaded the model.',
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'demo', version: '1.0.0' },
    },
  },
  {
    title: 'Ready',
    text: 'A notification: nothing comes back.',
    method: 'notifications/initialized',
    notification: true,
  },
  {
    title: 'What it can do',
    text: 'Shortened here: the descriptions and the schemas of arguments and results are left out.',
    method: 'tools/list',
    params: {},
    shortened: true,
  },
  tool('Remember an answer', 'What was learned goes to disk before the server answers.', 'remember', {
    task: QUESTIONS.stored,
    answer:
      'Load pg_stat_statements, then SELECT query, calls, total_exec_time FROM pg_stat_statements ' +
      'ORDER BY total_exec_time DESC LIMIT 20. Sort by total time, not by mean.',
    tags: ['postgres', 'performance'],
  }),
  tool('Remember another', 'A second entry, in another language.', 'remember', {
    task: '도커 컨테이너의 로그 파일 크기를 제한하기',
    answer: 'daemon.json에 "log-opts": {"max-size": "10m", "max-file": "3"}를 넣고 컨테이너를 다시 만듭니다.',
    tags: ['docker'],
  }),
  tool('Recall the same task', 'The identical text, typed in a hurry: similarity 1.', 'recall', {
    task: QUESTIONS.stored.toLowerCase(),
  }),
  tool('Recall by paraphrase', 'Other words, same meaning: a hit.', 'recall', { task: QUESTIONS.reworded }),
  tool('Recall from farther away', 'Still above the threshold of 0.85.', 'recall', {
    task: QUESTIONS.farther,
  }),
  tool('A miss', 'Nothing stored is about this, and the server says so instead of guessing.', 'recall', {
    task: 'Center a div horizontally and vertically with CSS grid',
  }),
  tool('Echo', 'What is near, without the answers: for looking around.', 'echo', {
    task: 'slow database queries',
    top_k: 2,
  }),
  tool(
    'Drift report',
    'One entry has answered three wordings of different closeness. Here that is right; it is worth a look when it is not.',
    'drift_report',
    {},
  ),
  tool('Stats', 'How much is stored, and which model is at work.', 'stats', {}),
  tool('Forget', 'By id. It is gone from every answer at once.', 'forget', { entry_id: '<entry 1>' }),
  tool('Asked once more', 'The entry does not come back.', 'recall', { task: QUESTIONS.reworded }),
];

/**
 * @param {string} title
 * @param {string} text
 * @param {string} name
 * @param {Record<string, unknown>} args
 * @returns {Step}
 */
function tool(title, text, name, args) {
  return { title, text, method: 'tools/call', params: { name, arguments: args } };
}

const place = await createPlace();
const transport = new StdioClientTransport({ ...place.server, stderr: 'ignore' });
try {
  await transport.start();
  const file = fileURLToPath(new URL('demo_session.md', import.meta.url));
  const style = await resolveConfig(file);
  await writeFile(file, await format(await record(), { ...style, filepath: file }));
} finally {
  await transport.close();
  await place.remove();
}

async function record() {
  const parts = [
    '# A session, line by line',
    'Recorded with `node examples/recordDemo.mjs` from the built server with an empty store. On the wire every message ' +
      'is one line of JSON on stdin or stdout; here they are spread out for reading. Ids and times differ from run to ' +
      'run; a test plays all of it again and compares the rest.',
  ];
  /** @type {string[]} */
  const entries = [];
  for (const [index, step] of STEPS.entries()) {
    const text = JSON.stringify(messageOf(step, index)).replace(
      /<entry (\d+)>/g,
      (_, n) => entries[n - 1] ?? '',
    );
    const request = JSON.parse(text);
    parts.push(`## ${index + 1}. ${step.title}`, step.text, block('request', request));
    if (step.notification) {
      await transport.send(request);
      continue;
    }
    const answer = await exchange(request);
    if (step.params?.name === 'remember') entries.push(answer.result.structuredContent.entry_id);
    parts.push(step.shortened ? block('answer shortened', shortened(answer)) : block('answer', answer));
  }
  return `${parts.join('\n\n')}\n`;
}

/**
 * @param {Step} step
 * @param {number} index
 */
function messageOf({ method, params, notification }, index) {
  return {
    jsonrpc: '2.0',
    ...(notification ? {} : { id: index + 1 }),
    method,
    ...(params ? { params } : {}),
  };
}

/**
 * @param {any} request
 * @returns {Promise<any>}
 */
function exchange(request) {
  return new Promise((resolve, reject) => {
    transport.onmessage = (/** @type {any} */ message) => {
      if (message.id === request.id) resolve(message);
    };
    transport.onclose = () => reject(new Error(`the server ended before it answered ${request.method}`));
    transport.send(request).catch(reject);
  });
}

/** @param {any} answer */
function shortened({ result, ...rest }) {
  const tools = result.tools.map(({ name, title, annotations }) => ({ name, title, annotations }));
  return { ...rest, result: { ...result, tools } };
}

/**
 * @param {string} kind
 * @param {unknown} message
 */
function block(kind, message) {
  return `\`\`\`json ${kind}\n${JSON.stringify(message, null, 2)}\n\`\`\``;
}
