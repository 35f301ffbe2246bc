import { lstatSync, readFileSync } from 'node:fs';
import { codeOf } from './folders.js';

/**
 * The text of a regular file; null where there is nothing. Throws where it is something else (a pipe would never
 * end) or larger than `limit` bytes, or the system's error.
 */
export function readSmallFile(path: string, limit: number): string | null {
  try {
    const found = lstatSync(path);
    if (!found.isFile()) throw new Error('it is no regular file');
    if (found.size > limit) throw new Error(`it has ${found.size} bytes, and at most ${limit} are read`);
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

/** A JSON object from another process, looked at field by field. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | null {
  // Every object's properties can be asked for by name; what they are is checked by whoever asks.
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}
