import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

/** Between two looks at the workbench, which announces nothing; in milliseconds. */
const PAUSE = 50;

/**
 * The first value of `read` that is neither false nor undefined. An error of `read` counts as "not yet".
 * Throws after `seconds`, with the last such error: many times what one action may take, as one look at something that
 * is just going away can last that long.
 */
export async function until<T>(
  what: string,
  read: () => Promise<T | false | undefined> | T | false | undefined,
  seconds = 40,
): Promise<T> {
  const deadline = performance.now() + seconds * 1000;
  let fault = '';
  while (performance.now() < deadline) {
    try {
      const value = await read();
      if (value !== false && value !== undefined) return value;
      fault = '';
    } catch (error) {
      fault = `: ${error instanceof Error ? error.message : String(error)}`;
    }
    await sleep(PAUSE);
  }
  throw new Error(`waited ${seconds} seconds in vain until ${what}${fault}`);
}

/** What `read` gives once it has given the same twice in a row: lists are filled and filtered in steps. */
export async function settled<T>(what: string, read: () => Promise<T>, seconds = 40): Promise<T> {
  let last: { readonly value: T } | undefined;
  return (
    await until(
      `${what} stays the same`,
      async () => {
        const value = await read();
        if (last !== undefined && isDeepStrictEqual(last.value, value)) return last;
        last = { value };
        return undefined;
      },
      seconds,
    )
  ).value;
}
