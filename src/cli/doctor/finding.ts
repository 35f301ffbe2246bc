export const CHECK_NAMES = [
  'node',
  'config',
  'storage',
  'ownership',
  'server',
  'model',
  'hooks',
  'clients',
  'capture',
  'inbox',
  'permissions',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export type Level = 'ok' | 'warning' | 'error';

/** What a check found out about one thing; this is also how `--json` says it. */
export interface Finding {
  readonly check: CheckName;
  readonly level: Level;
  /** What is, and why. */
  readonly message: string;
  /** How to mend it, with a command where there is one; empty where nothing has to be done. */
  readonly advice: string;
  /** It was mended just now, and `level` says how it is since then. */
  readonly fixed?: true;
}

/** A change that can do no harm. */
export interface Mend {
  /** Absolute paths of what it changes, for the backup; a path may be missing. */
  readonly changes: readonly string[];
  /** Doing it again changes nothing. Rejects where it cannot be done. */
  readonly apply: () => Promise<void>;
}

/** What a check says: a finding, and how it can be mended without asking anybody. */
export interface Observation extends Omit<Finding, 'check'> {
  readonly mend?: Mend;
}

export function ok(message: string): Observation {
  return { level: 'ok', message, advice: '' };
}

export function warning(message: string, advice: string, mend?: Mend): Observation {
  return { level: 'warning', message, advice, ...(mend && { mend }) };
}

export function error(message: string, advice: string, mend?: Mend): Observation {
  return { level: 'error', message, advice, ...(mend && { mend }) };
}
