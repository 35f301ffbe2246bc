import type { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

/** SHA-256 of the text's UTF-8 bytes, in hex. */
export function sha256(text: string): string {
  // Loaded when it is needed: it costs a process 2 ms at its start, and most hooks hash nothing.
  const crypto = createRequire(import.meta.url)('node:crypto') as { createHash: typeof createHash };
  return crypto.createHash('sha256').update(text, 'utf8').digest('hex');
}

/**
 * 16 hex digits for the text, without loading anything: for names and comparisons where two texts that agree by chance
 * do no harm, and nobody gains by making them agree. Two runs of FNV-1a (draft-eastlake-fnv, 32 bit) over the UTF-16
 * units, the second one from the other end.
 */
export function fingerprint(text: string): string {
  let [forwards, backwards] = [FNV_BASIS, FNV_BASIS];
  for (let at = 0; at < text.length; at += 1) {
    forwards = Math.imul(forwards ^ text.charCodeAt(at), FNV_PRIME);
    backwards = Math.imul(backwards ^ text.charCodeAt(text.length - 1 - at), FNV_PRIME);
  }
  return [forwards, backwards].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

const FNV_BASIS = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
