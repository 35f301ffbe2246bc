import { asObject } from './smallFile.js';

/** One line of a transcript, or an object within it. Nothing is known of its fields but what is looked at. */
export type JsonObject = Readonly<Record<string, unknown>>;

const BYTE_ORDER_MARK = 0xfeff;

/** The object on the line; null where there is none, as on a torn line. */
export function parseLine(bytes: Buffer): JsonObject | null {
  const text = bytes.toString('utf8');
  try {
    return asObject(JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text));
  } catch {
    // Torn, half written or no transcript: such a line says nothing.
    return null;
  }
}

/** The value where it is a string with something in it, else null. */
export function filled(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
