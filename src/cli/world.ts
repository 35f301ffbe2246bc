import type { Program } from '../clients/launcherText.js';
import type { HookShell } from '../clients/hookShell.js';
import type { Terminal } from './doctor/terminal.js';

/** What commands read and change besides files; handed in by whoever runs them. */
export interface World {
  /** The user's home folder, or an empty string where there is none. */
  readonly home: string;
  /** Absolute path of the folder the user works in. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: AsyncIterable<Buffer | string>;
  readonly program: Program;
  readonly shell: HookShell;
  /** What `out` is shown on. */
  readonly terminal: Terminal;
  /** Seconds since 1970. */
  readonly now: () => number;
  /** What was asked for, and it alone. */
  readonly out: (text: string | Buffer) => void;
  /** What is said about it. */
  readonly err: (text: string) => void;
}

/** A command has said what is wrong, and its exit code shall tell it too. */
export class CommandFailed extends Error {}
