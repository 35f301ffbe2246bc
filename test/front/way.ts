import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { GAVE_UP } from '../../src/link/hostOptions.js';
import { reach, Unreachable, type ReachOptions } from '../../src/server/reach.js';
import { helloOf, Store } from './fakeHost.js';

/** A storage directory, and what was done to get a host there. */
export class Way {
  readonly store: Store;
  /** The dead token each launch was told. */
  readonly launches: (string | null)[] = [];
  released = 0;
  /** What becomes of a launch: its last words, if it ends. */
  launched: () => Promise<string> = () => new Promise(() => undefined);

  constructor(t: TestContext) {
    this.store = new Store(t);
  }

  reach(options: Partial<ReachOptions> = {}) {
    return reach({
      storageDir: this.store.directory,
      hello: (token) => helloOf({ token }),
      launch: (dead) => {
        this.launches.push(dead);
        return { gaveUp: this.launched(), release: () => void (this.released += 1) };
      },
      patient: false,
      times: { deadline: 10_000, patience: 0 },
      ...options,
    });
  }

  /** Every launch brings up another host, and stays with it. */
  launchesHost(): void {
    this.launched = async () => {
      await this.store.host();
      return new Promise(() => undefined);
    };
  }

  /** Every launch ends with such words. */
  launchesEnd(words: string): void {
    this.launched = () => Promise.resolve(words);
  }

  /** Every launch ends for such a reason. */
  launchesGiveUp(reason: string): void {
    this.launchesEnd(`${GAVE_UP}${reason}`);
  }

  /** The first launches end with such words, the next brings up a host. */
  launchesInTurn(words: readonly string[]): void {
    this.launched = async () => {
      const said = words[this.launches.length - 1];
      if (said === undefined) await this.store.host();
      return said ?? new Promise(() => undefined);
    };
  }

  async failure(options: Partial<ReachOptions> = {}): Promise<Unreachable> {
    const error: unknown = await this.reach(options).then(
      (connection) => connection.close(),
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof Unreachable);
    return error;
  }
}
