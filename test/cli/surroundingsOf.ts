import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { readConfig } from '../../src/config/config.js';
import type { Answer } from '../../src/mcp/askServer.js';
import type { Surroundings } from '../../src/cli/doctor/surroundings.js';

export const NOW = 1_700_000_000;
export const MEGABYTE = 1024 * 1024;
export const refused: Answer = { reached: false, reason: 'It says why.' };

/** An installation in a temporary home with its folder for data, where everything is as it should be. */
export function surroundingsOf(
  t: TestContext,
  fields: Partial<Surroundings> = {},
  answer: Answer = refused,
): Surroundings {
  const home = mkdtempSync(join(tmpdir(), 'subconscious-doctor-'));
  t.after(() => rmSync(home, { recursive: true }));
  mkdirSync(join(home, '.subconscious-mcp', 'data'), { recursive: true, mode: 0o700 });
  return {
    version: '1.0.0',
    home,
    directory: home,
    env: {},
    platform: process.platform,
    uid: process.geteuid?.() ?? null,
    nodeVersion: '20.1.0',
    program: { node: '/opt/node', script: '/opt/subconscious/hook.js', version: '1.0.0' },
    shell: 'sh',
    config: readConfig({ env: {}, home }),
    configProblem: null,
    configPath: null,
    configFile: join(home, '.subconscious-mcp', 'config.json'),
    setAside: [],
    now: () => NOW,
    freeBytes: () => Promise.resolve(1000 * MEGABYTE),
    ask: () => Promise.resolve(answer),
    ...fields,
  };
}
