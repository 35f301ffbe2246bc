import { join } from 'node:path';
import type { Surroundings } from './surroundings.js';

/** Absolute path of the log of the memory process. */
export function serverLog({ home, config }: Surroundings): string {
  const folder = home === '' ? config.storageDir : join(home, '.subconscious-mcp');
  return join(folder, 'logs', 'server.log');
}
