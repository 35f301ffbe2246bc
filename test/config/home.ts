import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, beforeEach } from 'node:test';
import { readConfig, type Config } from '../../src/config/config.js';
import { ConfigError } from '../../src/config/configError.js';

export const root = mkdtempSync(join(tmpdir(), 'config-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** The user's home folder and the configuration file in it, new for each test. */
export let home = '';
export let file = '';
beforeEach(() => {
  home = mkdtempSync(join(root, 'home-'));
  file = join(home, '.subconscious-mcp', 'config.json');
});

export function write(content: unknown, to = file): void {
  mkdirSync(dirname(to), { recursive: true });
  const raw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(to, raw ? content : JSON.stringify(content));
}

export const read = (env: Record<string, string> = {}, configPath?: string): Config =>
  readConfig({ env, home, configPath });

/** The sentence with which it is refused. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof ConfigError, String(error));
    assert.equal(error.reason, 'config');
    return error.message;
  }
  return assert.fail('nothing was refused');
}
