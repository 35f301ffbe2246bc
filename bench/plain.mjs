// What one would write in an afternoon: the figures next to ours.
import { spawnSync } from 'node:child_process';
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { time } from './measure.mjs';

const DIMENSION = 384;

/** A Node process that does nothing. */
export const bareProcess = () => time(10, () => spawnSync(process.execPath, ['-e', '0']));

/** Append one line and wait for the disk. @param {string} folder @param {string} line */
export async function bareAppend(folder, line) {
  const file = openSync(join(folder, 'plain.jsonl'), 'a');
  const result = await time(200, () => {
    writeSync(file, line);
    fdatasyncSync(file);
  });
  closeSync(file);
  return result;
}

/** Cosine against an array of arrays, then a sort. @param {number} rows */
export function bruteForce(rows) {
  const random = () => Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
  const vectors = Array.from({ length: rows }, random);
  const query = random();
  return time(20, () => {
    const scores = vectors.map((vector, row) => ({
      row,
      score: vector.reduce((sum, value, i) => sum + value * query[i], 0),
    }));
    scores.sort((a, b) => b.score - a.score);
    return scores[0];
  });
}

/** Resident memory of an idle Node process, in bytes. */
export function bareMemory() {
  const script = 'process.stdout.write(String(process.memoryUsage.rss()))';
  return Number(spawnSync(process.execPath, ['-e', script]).stdout.toString());
}
