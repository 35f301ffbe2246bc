import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SERVER, WITHOUT_MODEL, type Sandbox } from '../server/sandbox.js';
import type { CheckName, Finding, Level } from '../../src/cli/doctor/finding.js';

export interface DoctorOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly program?: string;
  readonly uid?: number;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built program's doctor to its end, unless told otherwise without a model. */
export async function doctor(
  box: Sandbox,
  words: readonly string[] = [],
  { env = WITHOUT_MODEL, program = SERVER, uid }: DoctorOptions = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [program, 'doctor', ...words], {
    cwd: box.project,
    env: box.environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // Type of the 'close' event of a child process.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export interface Report {
  readonly ok: boolean;
  readonly version: string;
  readonly findings: readonly Finding[];
  readonly backup?: string;
}

/** What doctor says with `--json`; its exit code has to agree with it. */
export async function report(box: Sandbox, words: readonly string[] = [], options: DoctorOptions = {}) {
  const { code, stdout, stderr } = await doctor(box, [...words, '--json'], options);
  assert.equal(stderr, '');
  const said = JSON.parse(stdout) as Report; // As the program writes it.
  assert.deepEqual(
    { code, ok: said.ok },
    { code: said.ok ? 0 : 1, ok: levels(said).every((one) => one !== 'error') },
  );
  return said;
}

/** What one check found, as the level and all words of each finding. */
export function found({ findings }: Report, check: CheckName): [Level, string][] {
  return findings
    .filter((finding) => finding.check === check)
    .map(({ level, message, advice }) => [level, `${message} ${advice}`.trim()]);
}

/** The only finding of a check that is not fine, in all its words; fails where there is another number of them. */
export function onlyFault(said: Report, check: CheckName, level: Level): string {
  const faults = found(said, check).filter(([one]) => one !== 'ok');
  const [fault] = faults;
  assert.ok(faults.length === 1 && fault?.[0] === level, `${check}: ${JSON.stringify(found(said, check))}`);
  return fault[1];
}

/** Messages of what was mended. */
export function mended({ findings }: Report): string[] {
  return findings.filter(({ fixed }) => fixed === true).map(({ message }) => message);
}

function levels({ findings }: Report): Level[] {
  return findings.map(({ level }) => level);
}

/** Everything below a folder with its mode and content, to see whether anything changes. */
export function stateOf(folder: string, ignored: RegExp): Record<string, string> {
  const state: Record<string, string> = {};
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (ignored.test(name)) continue;
    const found = lstatSync(join(folder, name));
    const content = found.isFile() ? readFileSync(join(folder, name), 'latin1') : '';
    state[name] = `${(found.mode & 0o7777).toString(8)} ${content}`;
  }
  return state;
}
