import type { TestContext } from 'node:test';

type Timers = Parameters<TestContext['mock']['timers']['enable']>[0];

const TICK = 1000;

/** Lets time pass at once for what reads a clock or waits for a timer. */
export class PassingTime {
  private ahead = 0;

  /** @param apis the timers that wait for `pass`; those of `node:timers/promises` never do */
  constructor(
    private readonly t: TestContext,
    apis: NonNullable<NonNullable<Timers>['apis']> = ['setInterval'],
  ) {
    for (const clock of [performance, Date]) {
      const now = clock.now.bind(clock);
      t.mock.method(clock, 'now', () => now() + this.ahead);
    }
    t.mock.timers.enable({ apis });
  }

  pass(milliseconds: number): void {
    for (let left = milliseconds; left > 0; left -= TICK) {
      const step = Math.min(TICK, left);
      this.ahead += step;
      this.t.mock.timers.tick(step);
    }
  }

  /** Time passes, and no timer fires: as if nobody had looked at the clock meanwhile. */
  jump(milliseconds: number): void {
    this.ahead += milliseconds;
  }
}
