import type { Config } from '../config/config.js';

/** Who is served by this process, and how. */
export interface Setup {
  readonly config: Config;
  readonly version: string;
  readonly home: string;
  /** The folder the client works in. */
  readonly directory: string;
  /** Resolves when this process shall end. */
  readonly leaving: Promise<string>;
}
