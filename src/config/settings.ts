/** From the least to the most serious. */
export const LOG_LEVELS = ['DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Groups of tools a client may ask for. */
export const TOOLSETS = ['core', 'admin'] as const;
export type Toolset = (typeof TOOLSETS)[number];

const TRUE_WORDS = ['1', 'true', 'yes', 'on'];
const FALSE_WORDS = ['0', 'false', 'no', 'off'];
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** One key: where else it may be set, what is allowed, and how a raw value becomes a typed one. */
export interface Setting<T> {
  /** Name of the environment variable, or null where there is none. */
  readonly env: string | null;
  /** Completes the sentence "allowed is ...". */
  readonly allowed: string;
  /** undefined: not usable. Text and JSON forms are read alike, so environment and file cannot differ. */
  readonly read: (raw: unknown) => T | undefined;
}

/** Every key of `config.json`, by the name it has there. */
export const SETTINGS = {
  storage_dir: setting('SUBCONSCIOUS_STORAGE_DIR', 'the path of a folder', readPath),
  embedding_model: setting('SUBCONSCIOUS_EMBEDDING_MODEL', 'the name of a model', readName),
  default_threshold: setting('SUBCONSCIOUS_DEFAULT_THRESHOLD', 'a number from 0 to 1', (raw) => {
    const value = readNumber(raw);
    return value !== undefined && value >= 0 && value <= 1 ? value : undefined;
  }),
  default_ttl_seconds: setting(null, 'a whole number of seconds from 1, or null for never', (raw) =>
    raw === null ? null : readInteger(raw, 1),
  ),
  log_level: setting('SUBCONSCIOUS_LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, (raw) => {
    const name = readName(raw)?.toUpperCase();
    return LOG_LEVELS.find((level) => level === name);
  }),
  echo_log_enabled: setting('SUBCONSCIOUS_ECHO_LOG_ENABLED', 'true or false', readSwitch),
  echo_log_max_bytes: setting('SUBCONSCIOUS_ECHO_LOG_MAX_BYTES', 'a whole number of bytes from 1000', (raw) =>
    readInteger(raw, 1000),
  ),
  namespace: setting('SUBCONSCIOUS_NAMESPACE', 'a name, or null for one per project folder', (raw) =>
    raw === null || raw === '' ? null : readName(raw),
  ),
  capture_enabled: setting('SUBCONSCIOUS_CAPTURE_ENABLED', 'true or false', readSwitch),
  episode_days: setting('SUBCONSCIOUS_EPISODE_DAYS', 'a whole number of days from 1', (raw) =>
    readInteger(raw, 1),
  ),
  episode_limit: setting('SUBCONSCIOUS_EPISODE_LIMIT', 'a whole number of episodes from 1', (raw) =>
    readInteger(raw, 1),
  ),
  toolsets: setting('SUBCONSCIOUS_TOOLSETS', `a list of ${TOOLSETS.join(', ')}`, readToolsets),
  standalone: setting('SUBCONSCIOUS_STANDALONE', 'true or false', readSwitch),
  idle_seconds: setting('SUBCONSCIOUS_IDLE_SECONDS', 'a whole number of seconds from 1 to 86400', (raw) => {
    const value = readInteger(raw, 1);
    return value !== undefined && value <= 86_400 ? value : undefined;
  }),
};

export type SettingName = keyof typeof SETTINGS;

function setting<T>(env: string | null, allowed: string, read: Setting<T>['read']): Setting<T> {
  return { env, allowed, read };
}

function readName(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined;
}

function readPath(raw: unknown): string | undefined {
  // Blanks at the ends can be part of a path; NUL never is.
  return typeof raw === 'string' && raw.trim() !== '' && !raw.includes('\0') ? raw : undefined;
}

function readNumber(raw: unknown): number | undefined {
  const value = typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : raw;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function readInteger(raw: unknown, least: number): number | undefined {
  const value = readNumber(raw);
  return value !== undefined && Number.isSafeInteger(value) && value >= least ? value : undefined;
}

/** Names with commas between them, or a list of them. */
function readToolsets(raw: unknown): readonly Toolset[] | undefined {
  const words: unknown = typeof raw === 'string' ? raw.split(',') : raw;
  if (!Array.isArray(words) || words.length === 0) return undefined;
  const names = words.map((word) => readName(word)?.toLowerCase());
  const known = TOOLSETS.filter((name) => names.includes(name));
  return names.every((name) => known.some((one) => one === name)) ? known : undefined;
}

function readSwitch(raw: unknown): boolean | undefined {
  if (typeof raw !== 'string' && typeof raw !== 'number' && typeof raw !== 'boolean') return undefined;
  const word = String(raw).trim().toLowerCase();
  if (TRUE_WORDS.includes(word)) return true;
  return FALSE_WORDS.includes(word) ? false : undefined;
}
