import { describeError, type Log } from './log.js';
import type { OpenEngine } from './openEngine.js';

export interface Reopening {
  /** What is open or being opened; null where nothing is. */
  readonly opened: Promise<OpenEngine> | null;
  open(): Promise<OpenEngine>;
  endModel(): Promise<void>;
  close(): Promise<void>;
}

/** Opens on first use, again after a failure: what was in the way then may be gone by now. */
export function reopening(open: () => Promise<OpenEngine>, log: Log): Reopening {
  const state: { opened: Promise<OpenEngine> | null } = { opened: null };
  return {
    get opened() {
      return state.opened;
    },
    open(): Promise<OpenEngine> {
      state.opened ??= open().catch((error: unknown) => {
        state.opened = null;
        log.write('ERROR', describeError(error));
        throw error;
      });
      return state.opened;
    },
    async endModel(): Promise<void> {
      const opened = await state.opened?.catch(() => null);
      await opened?.endModel();
    },
    async close(): Promise<void> {
      const opened = await state.opened?.catch(() => null);
      // What was acknowledged is in the change log, whether or not it could be brought into one file.
      await opened?.close().catch((error: unknown) => log.write('WARNING', describeError(error)));
    },
  };
}
