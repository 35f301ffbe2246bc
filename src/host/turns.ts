import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Gives each caller a turn of the event loop of its own, in order. A thousand calls that come in one chunk would
 * otherwise run as one, and neither a timer nor another client would get a word in.
 * @param ready is waited for in each turn
 */
export function createTurns(ready: () => Promise<void> = () => Promise.resolve()): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => (last = last.then(() => nextTurn()).then(ready));
}
