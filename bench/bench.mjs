// npm run bench [-- --json FILE] [--rows 1000,10000]: measures the built server through its own protocol,
// beside plain alternatives in the same run. It judges nothing and fails nothing.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startServer } from './client.mjs';
import { childrenOf, machine, residentBytes, table, time } from './measure.mjs';
import { bareAppend, bareMemory, bareProcess, bruteForce } from './plain.mjs';
import { answerOf, questionOf, taskOf } from './texts.mjs';

const { values } = parseArgs({
  options: { json: { type: 'string' }, rows: { type: 'string', default: '1000,10000' } },
});
const sizes = values.rows.split(',').map(Number);
const folder = mkdtempSync(join(tmpdir(), 'subconscious-bench-'));
/** @type {import('./measure.mjs').Row[]} */
const rows = [];
/** @type {Record<string, unknown>} */
const figures = {};

const ms = (value) => `${value.toFixed(value < 10 ? 2 : 1)} ms`;
const mb = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;
const pair = ({ p50, p95 }) => `${ms(p50)} / ${ms(p95)}`;

/** @param {string} what @param {any} ours @param {any} plain @param {string} than @param {(value: any) => string} show */
function report(what, ours, plain, than, show = pair) {
  figures[what] = { ours, plain };
  rows.push({ what, value: show(ours), plain: show(plain), than });
  console.error(`${what}: ${show(ours)} (${than}: ${show(plain)})`);
}

/** @param {Awaited<ReturnType<typeof startServer>>} server @param {number} from @param {number} to */
async function fill(server, from, to) {
  for (let start = from; start < to; start += 50) {
    const batch = Array.from({ length: Math.min(50, to - start) }, (_, i) => start + i);
    await Promise.all(
      batch.map((i) => server.call('remember', { task: taskOf(i), answer: answerOf(i), tags: ['bench'] })),
    );
  }
}

async function startUp() {
  const cold = await time(20, async () => {
    const server = startServer(folder);
    await server.initialize();
    await server.request('tools/list');
    return server.stop;
  });
  report('spawn to tools/list, cold, p50 / p95', cold, await bareProcess(), 'node -e 0');
}

/** @param {number} from @param {number} size */
async function atSize(from, size) {
  const filling = startServer(folder);
  await filling.initialize();
  await fill(filling, from, size);
  await filling.stop();

  const first = await time(10, async () => {
    const server = startServer(folder);
    await server.initialize();
    await server.call('recall', { task: questionOf(1) });
    return server.stop;
  });
  report(
    `spawn to first recall, model included, at ${size}, p50 / p95`,
    first,
    await bareProcess(),
    'node -e 0',
  );

  const server = startServer(folder);
  await server.initialize();
  await server.call('recall', { task: questionOf(1) });
  const warm = await time(200, (run) => server.call('recall', { task: questionOf(run + 2) }), 10);
  report(
    `warm recall at ${size}, p50 / p95`,
    warm,
    await bruteForce(size),
    'scan of arrays alone, no embedding',
  );
  const found = await time(100, (run) => server.call('search', { query: questionOf(run + 2) }), 5);
  report(`search at ${size}, p50 / p95`, found, await bruteForce(size), 'scan of arrays alone, no embedding');
  const line = JSON.stringify({ task: taskOf(0), answer: answerOf(0) });
  const write = await time(
    100,
    (run) => server.call('remember', { task: taskOf(size * 10 + run), answer: answerOf(run) }),
    5,
  );
  report(
    `remember at ${size}, p50 / p95`,
    write,
    await bareAppend(folder, `${line}\n`),
    'append + fdatasync',
  );
  report(`resident, server at ${size}`, residentBytes(server.pid), bareMemory(), 'idle node', mb);
  const embedder = childrenOf(server.pid).reduce((sum, pid) => sum + residentBytes(pid), 0);
  report(`resident, embedder at ${size}`, embedder, bareMemory(), 'idle node', mb);
  const { all_projects_entries } = await server.call('stats', {});
  await server.stop();
  const bytes = statSync(join(folder, 'data', 'memory.db')).size / all_projects_entries;
  report(
    `bytes per memory on disk at ${size}`,
    bytes,
    line.length + 1,
    'a JSON line without vector',
    (value) => `${value.toFixed(0)} B`,
  );
}

try {
  console.error(machine());
  await startUp();
  let from = 0;
  for (const size of sizes) {
    await atSize(from, size);
    from = size;
  }
  console.log(`${machine()}\n\n${table(rows)}`);
  if (values.json) writeFileSync(values.json, JSON.stringify({ machine: machine(), figures }, null, 2));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
