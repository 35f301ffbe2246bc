/** How often a server that ends by itself is started again. */
const MOST = 3;
/** In milliseconds. */
const WITHIN = 60_000;

/** Says whether something that ended may be started again, so that trouble never becomes a loop. */
export class Restarts {
  private ends: number[] = [];

  /** @param now milliseconds */
  mayRestart(now: number): boolean {
    // A clock that was set back leaves ends in the future.
    this.ends = [...this.ends.filter((end) => Math.abs(now - end) < WITHIN), now];
    return this.ends.length <= MOST;
  }

  forget(): void {
    this.ends = [];
  }
}
