import { setTimeout as sleep } from 'node:timers/promises';
import { PATIENCE, withServer, type ServerCommand, type Unreached } from './asking.js';
import { readStats, type ServerStats } from './serverStats.js';

/** What the server said of itself. */
export type Answer =
  | {
      readonly reached: true;
      /** Of the process that answered, which another version may have started. */
      readonly version: string;
      readonly tools: number;
      readonly stats: ServerStats;
      /** Why a search, which needs the model, was not answered; null where it was. */
      readonly searchFailure: string | null;
    }
  | Unreached;

/** Between two looks at the model, in milliseconds. */
const PAUSE = 200;
/** Any will do: nothing of a search is written down. */
const QUERY = 'hello';

/**
 * Starts the server as every client does, asks how it is and leaves. A model is given the time to load. Never
 * rejects, and takes 20 seconds at most, and a few more where the server does not end.
 */
export async function askServer(server: ServerCommand, patience = PATIENCE): Promise<Answer> {
  return await withServer<Answer>(server, patience, async ({ version, tools, call, left, inWords }) => {
    for (;;) {
      const searchFailure = await call('search', { query: QUERY }).then(() => null, inWords);
      const stats = readStats(await call('stats', {}));
      const settled = stats.model.state === 'ready' || stats.model.state === 'unavailable';
      if (settled || searchFailure !== null || left() < 2 * PAUSE) {
        return { reached: true, version, tools, stats, searchFailure };
      }
      await sleep(PAUSE);
    }
  });
}
