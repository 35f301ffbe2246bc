import assert from 'node:assert/strict';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';

/** Stores rows without a pause, several at a time, until it is stopped. */
export class Writer {
  readonly ids = new Set<string>();
  private stopped = false;
  private readonly lanes: Promise<unknown>;

  constructor(front: ServerProcess, name: string) {
    const lanes = [1, 2, 3].map(async (lane) => {
      for (let at = 0; !this.stopped; at += 1) {
        const row = { task: `${name}, lane ${lane}, row ${at}`, answer: 'x' };
        const { stored, refreshed, entry_id = '' } = await front.call('remember', row);
        assert.deepEqual({ stored, refreshed }, { stored: true, refreshed: undefined });
        this.ids.add(entry_id);
      }
    });
    this.lanes = Promise.all(lanes);
    // Waited for in stop().
    this.lanes.catch(() => undefined);
  }

  /** Resolves when it has stored more than now; fails where that takes long. */
  async writesOn(): Promise<void> {
    const before = this.ids.size;
    await until('more is stored', () => this.ids.size > before + 5);
  }

  /** Fails where any answer was not as it must be. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.lanes;
  }
}
