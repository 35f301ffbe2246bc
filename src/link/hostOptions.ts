import type { Config } from '../config/config.js';

/** Environment variable that carries {@link HostOptions} as JSON: nothing there needs quoting on any system. */
export const HOST_OPTIONS = 'SUBCONSCIOUS_HOST_OPTIONS';

/** What a front starts a host with. */
export interface HostOptions {
  readonly config: Config;
  readonly home: string;
  /** Token of the host that the front found dead, if any: any other host that serves makes a new one needless. */
  readonly dead: string | null;
}

/** First words of a host that gives up, before its reason; whatever else it prints is an accident. */
export const GAVE_UP = 'The host gave up: ';

/** First words of the reason where nothing can be written in its directory. */
export const READ_ONLY = 'read-only: ';
