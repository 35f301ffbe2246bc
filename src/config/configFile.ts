import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from './configError.js';
import { jsonFault } from './jsonFault.js';

/** Raw keys and values of a configuration file. */
export type RawConfig = ReadonlyMap<string, unknown>;

/**
 * Reads a configuration file: strict JSON with an object at the top; a byte order mark is tolerated.
 * A file that is not there reads as empty unless it is `required`.
 * Throws a {@link ConfigError} naming file, line and column.
 */
export function readConfigFile(file: string, required: boolean): RawConfig {
  const bytes = readBytes(file, required);
  if (bytes === null) return new Map();
  const content = parseStrictly(decode(bytes, file), file);
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    throw new ConfigError(`${file} must hold one JSON object, like {"log_level": "INFO"}.`);
  }
  return new Map(Object.entries(content));
}

function readBytes(file: string, required: boolean): Buffer | null {
  try {
    // A pipe would never end.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
    return readFileSync(file);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    const missing = code === 'ENOENT' || code === 'ENOTDIR';
    if (missing && !required) return null;
    const why = missing ? 'there is no such file' : cause instanceof Error ? cause.message : String(cause);
    throw new ConfigError(`The configuration file ${file} cannot be read: ${why}. Mend it or remove it.`, {
      cause,
    });
  }
}

function decode(bytes: Buffer, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(`${file} is not UTF-8 text. Save it again as UTF-8.`, { cause });
  }
}

function parseStrictly(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const before = text.slice(0, jsonFault(text) ?? 0).split(/\r\n|\r|\n/);
    const column = (before.at(-1) ?? '').length + 1;
    throw new ConfigError(
      `${file} is not valid JSON: error at line ${before.length}, column ${column}. ` +
        'Comments and trailing commas are not allowed.',
      { cause },
    );
  }
}
