import type { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

/** SHA-256 of the text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  // Loaded when it is needed: it costs a process 2 ms at its start, and most hooks hash nothing.
  const crypto = createRequire(import.meta.url)('node:crypto') as { createHash: typeof createHash };
  return crypto.createHash('sha256').update(text, 'utf8').digest('hex');
}
