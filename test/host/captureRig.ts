import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { damagedOf, inboxOf } from '../../src/capture/spool.js';
import { spoolTurns } from '../../src/capture/spoolTurns.js';
import type { CapturedSession } from '../../src/core/episode.js';
import type { Log } from '../../src/host/log.js';
import { until } from '../server/until.js';

const root = mkdtempSync(join(tmpdir(), 'capture-'));
after(() => rmSync(root, { recursive: true, force: true }));

/** A storage directory, and what the parts of a host that look after it say. */
export class CaptureRig {
  readonly storageDir = mkdtempSync(join(root, 'case-'));
  readonly inbox = inboxOf(this.storageDir);
  readonly damaged = damagedOf(this.storageDir);
  /** `LEVEL message`, as they were logged. */
  readonly logged: string[] = [];
  readonly log: Log = { write: (level, message) => void this.logged.push(`${level} ${message}`) };
  /** Sessions that were taken into memory. */
  readonly taken: CapturedSession[] = [];
  /** What memory answers instead of taking a session; null: it takes it. */
  refusal: ((session: CapturedSession) => Error | null) | null = null;
  /** How often memory was asked to take one. */
  asked = 0;
  /** How often it was told that the store cannot write. */
  storeFailures = 0;

  readonly engine = {
    ingest: async (session: CapturedSession): Promise<boolean> => {
      this.asked += 1;
      const refused = this.refusal?.(session);
      if (refused) throw refused;
      this.taken.push(session);
      return Promise.resolve(true);
    },
  };

  /** As a hook leaves it in the inbox. */
  spool(...sessions: readonly CapturedSession[]): void {
    for (const session of sessions) spoolTurns(this.inbox, session);
  }

  /** Resolves to the ids of the sessions taken, in order, when there are so many. */
  async takes(count: number): Promise<string[]> {
    await until(`${count} sessions are taken`, () => this.taken.length >= count);
    return this.taken.map(({ sessionId }) => sessionId);
  }
}
