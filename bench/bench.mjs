// npm run bench [-- --json FILE] [--rows 1000,10000]: measures the built server through its own protocol,
// beside plain alternatives in the same run. It judges nothing and fails nothing.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { endHost, hostOf, startServer } from './client.mjs';
import { hookPlace, LARGE, sessionStartHook, stopHook } from './hook.mjs';
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

/** @param {'shared' | 'standalone'} mode */
async function toToolsList(mode) {
  const server = startServer(folder, mode);
  await server.initialize();
  await server.request('tools/list');
  return server.stop;
}

async function startUp() {
  const alone = await time(20, () => toToolsList('standalone'));
  const node = await bareProcess();
  report('spawn to tools/list, standalone, p50 / p95', alone, node, 'node -e 0');
  const cold = await time(20, async () => {
    const stop = await toToolsList('shared');
    return async () => {
      await stop();
      await endHost(folder);
    };
  });
  report('spawn to tools/list, no host yet, p50 / p95', cold, node, 'node -e 0');
  const keeper = startServer(folder);
  await keeper.initialize();
  const warm = await time(20, () => toToolsList('shared'));
  report('spawn to tools/list, host running, p50 / p95', warm, alone, 'standalone');
  await keeper.stop();
  await endHost(folder);
}

async function hooks() {
  const place = await hookPlace(folder);
  const node = await bareProcess();
  report('stop hook, whole process, p50 / p95', await stopHook(place, 1), node, 'node -e 0');
  report('stop hook, transcript of 100 MB, p50 / p95', await stopHook(place, LARGE), node, 'node -e 0');
  report('session-start hook, whole process, p50 / p95', await sessionStartHook(place), node, 'node -e 0');
}

/** What clients take together: their fronts, the host, its embedder; beside as many standalone servers. */
async function together() {
  for (const count of [1, 4, 8]) {
    const used = { shared: 0, standalone: 0 };
    for (const mode of /** @type {const} */ (['shared', 'standalone'])) {
      const servers = Array.from({ length: count }, (_, i) =>
        startServer(mode === 'shared' ? folder : mkdtempSync(join(folder, `alone-${i}-`)), mode),
      );
      for (const server of servers) {
        await server.initialize();
        await server.call('recall', { task: questionOf(1) });
      }
      const pids = [...servers.map(({ pid }) => pid), ...(mode === 'shared' ? [hostOf(folder)] : [])];
      const all = pids.flatMap((pid) => [pid, ...childrenOf(pid)]);
      used[mode] = all.reduce((sum, pid) => sum + residentBytes(pid), 0);
      await Promise.all(servers.map((server) => server.stop()));
      await endHost(folder);
    }
    report(`resident, ${count} clients together`, used.shared, used.standalone, 'as many standalone', mb);
  }
}

/** @param {number} from @param {number} size */
async function atSize(from, size) {
  const filling = startServer(folder);
  await filling.initialize();
  await fill(filling, from, size);
  await filling.stop();
  await endHost(folder);

  const first = await time(10, async () => {
    const server = startServer(folder);
    await server.initialize();
    await server.call('recall', { task: questionOf(1) });
    return async () => {
      await server.stop();
      await endHost(folder);
    };
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
  report(`resident, front at ${size}`, residentBytes(server.pid), bareMemory(), 'idle node', mb);
  const host = hostOf(folder);
  report(`resident, host at ${size}`, residentBytes(host), bareMemory(), 'idle node', mb);
  const embedder = childrenOf(host).reduce((sum, pid) => sum + residentBytes(pid), 0);
  report(`resident, embedder at ${size}`, embedder, bareMemory(), 'idle node', mb);
  const { all_projects_entries } = await server.call('stats', {});
  await server.stop();
  await endHost(folder);
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
  await hooks();
  await startUp();
  await together();
  let from = 0;
  for (const size of sizes) {
    await atSize(from, size);
    from = size;
  }
  console.log(`${machine()}\n\n${table(rows)}`);
  if (values.json) writeFileSync(values.json, JSON.stringify({ machine: machine(), figures }, null, 2));
} finally {
  await endHost(folder);
  rmSync(folder, { recursive: true, force: true });
}
