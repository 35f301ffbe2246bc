import { setTimeout as pause } from 'node:timers/promises';
import { codeOf } from './systemError.js';

/** What Windows answers while a virus scanner or a reader has the file open. */
const BUSY = ['EPERM', 'EACCES', 'EBUSY'];
const ATTEMPTS = 20;

/** Does again what a file that is open elsewhere was in the way of, for a fifth of a second. */
export async function patiently(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await act();
      return;
    } catch (error) {
      if (attempt === ATTEMPTS || !BUSY.includes(codeOf(error))) throw error;
      await pause(10);
    }
  }
}
