import { readFileSync } from 'node:fs';
import { cpus, platform, release } from 'node:os';

/** @param {number[]} values @param {number} share 0..1 */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/**
 * Milliseconds of each of `runs` calls, after `warmUp` uncounted ones. What an action returns as a function is
 * called afterwards and not counted.
 * @param {number} runs
 * @param {(run: number) => unknown} action
 */
export async function time(runs, action, warmUp = 1) {
  const values = [];
  for (let run = -warmUp; run < runs; run += 1) {
    const start = performance.now();
    const after = await action(run);
    if (run >= 0) values.push(performance.now() - start);
    if (typeof after === 'function') await after();
  }
  return { p50: percentile(values, 0.5), p95: percentile(values, 0.95), runs };
}

/** Resident memory of a process in bytes; 0 where the system does not tell. @param {number} pid */
export function residentBytes(pid) {
  try {
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(line?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Process ids of the children of `pid`. @param {number} pid */
export function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
      .trim()
      .split(' ')
      .filter(Boolean)
      .map(Number);
  } catch {
    return [];
  }
}

export function machine() {
  const [cpu] = cpus();
  return `${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${platform()} ${release()}, Node ${process.version}`;
}

/** @typedef {{ what: string, value: string, plain: string, than: string }} Row */

/** @param {readonly Row[]} rows */
export function table(rows) {
  const head = { what: 'what', value: 'subconscious', plain: 'plain', than: 'plain alternative' };
  const keys = /** @type {const} */ (['what', 'value', 'plain', 'than']);
  const width = Object.fromEntries(
    keys.map((key) => [key, Math.max(...[head, ...rows].map((row) => row[key].length))]),
  );
  const line = (row) =>
    keys
      .map((key) =>
        key === 'what' || key === 'than' ? row[key].padEnd(width[key]) : row[key].padStart(width[key]),
      )
      .join('  ');
  return [line(head), keys.map((key) => '-'.repeat(width[key])).join('  '), ...rows.map(line)].join('\n');
}
