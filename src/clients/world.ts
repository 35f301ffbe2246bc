import type { Program } from './launcherText.js';

/** Runs a program to its end, without a shell. Rejects where it cannot be started or is not done in time. */
export type Run = (
  command: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string | undefined>>; readonly cwd: string },
) => Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }>;

/** Whose clients they are, and what is told about the machine. */
export interface ClientWorld {
  /** The user's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the project folder. */
  readonly folder: string;
  /** What the launcher shall start. */
  readonly program: Program;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** Starts `claude`. */
  readonly run: Run;
}
