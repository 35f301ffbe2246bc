import { PATIENCE, withServer, type ServerCommand, type Unreached } from './asking.js';
import { readStats } from './serverStats.js';

export type Handshake =
  | {
      readonly reached: true;
      /** Of the process that answered, which another version may have started. */
      readonly version: string;
      readonly tools: number;
      /** What the project of the folder sees; null where the server does not tell. */
      readonly memories: number | null;
    }
  | Unreached;

/** Whether a client that starts this gets a server: initialize, the tools, and what is remembered. Needs no model. */
export async function shakeHands(server: ServerCommand, patience = PATIENCE): Promise<Handshake> {
  return await withServer<Handshake>(server, patience, async ({ version, tools, call }) => {
    const memories = await call('stats', {}).then(
      (content) => readStats(content).memories,
      () => null, // Toolsets decide whether it can be asked.
    );
    return { reached: true, version, tools, memories };
  });
}
