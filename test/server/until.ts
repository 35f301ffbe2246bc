import { setTimeout as sleep } from 'node:timers/promises';

/** For the state of other processes, which nothing announces. Throws when it takes more than `seconds`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  seconds = 10,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited ${seconds} seconds in vain until ${what}`);
    await sleep(20);
  }
}
