import { homeFolder } from '../project/person.js';
import { readInput } from './hookInput.js';
import { runHook } from './runHook.js';

/** A client waits for its hooks, so this process ends after that many milliseconds whatever it waits for itself. */
const LONGEST = 5000;

/** Another exit code would be taken for the hook's verdict on the session. */
function leave(): never {
  process.exit(0);
}

async function main(): Promise<void> {
  const input = await readInput(() => process.stdin);
  const { argv, env } = process;
  const { text, printed } = runHook({
    words: argv.slice(2),
    env,
    home: homeFolder(),
    input,
    now: Date.now(),
  });
  if (text !== '') printed(await print(text));
}

/** Why it was not taken, or null. */
function print(text: string): Promise<string | null> {
  return new Promise((resolve) => {
    // eslint-disable-next-line no-restricted-properties -- What a hook prints is what it has to say.
    const { stdout } = process;
    stdout.on('error', (error: Error) => resolve(error.message));
    stdout.write(text, (error) => resolve(error?.message ?? null));
  });
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, leave);
process.on('uncaughtException', leave);
setTimeout(leave, LONGEST);
void main().then(leave, leave);
