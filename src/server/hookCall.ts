import { createRequire } from 'node:module';
import { isCommand } from './commands.js';

/** Options whose value is the word after them. */
const VALUED = ['--config', '--event'];

/** Whether a client's hook calls: the command `hook` may stand anywhere among its options. */
export function isHookCall(words: readonly string[]): boolean {
  if (isCommand(words[0])) return false;
  return words.some((word, index) => word === 'hook' && !VALUED.includes(words[index - 1] ?? ''));
}

/**
 * Loads the hook's bundle, which reads the same words and ends the process. Nothing of the server is set up: the
 * client waits. Where the bundle is gone the exit code still must not say anything about the session.
 */
export function callHook(): void {
  try {
    createRequire(import.meta.url)('./hook.js');
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`The hook cannot be loaded (${reason}). Install subconscious-mcp again.\n`);
    process.exit(0);
  }
}
