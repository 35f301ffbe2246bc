const TICK = 1000;
/** Silence after which the host is asked whether it is there, and after which it counts as hanging; milliseconds. */
const ASK_AFTER = 4000;
const HANGING_AFTER = 10_000;

export interface LivenessReactions {
  ask(): void;
  hanging(): void;
}

/**
 * Watches for a host that is connected but does not run, e.g. because it was stopped. Long work is no reason to
 * call it hanging: a host that works answers when it is asked. Nothing is timed while nobody waits.
 */
export class Liveness {
  private timer: NodeJS.Timeout | null = null;
  private lastTick = 0;
  private lastHeard = 0;
  private asked = false;

  constructor(
    private readonly on: LivenessReactions,
    private readonly now: () => number = () => performance.now(),
  ) {}

  heard(): void {
    this.lastHeard = this.now();
    this.asked = false;
  }

  /** Somebody waits for the host. */
  watch(): void {
    if (this.timer) return;
    this.lastTick = this.now();
    // Silence before the first question proves nothing, unless a question is open from before.
    if (!this.asked) this.lastHeard = this.lastTick;
    this.timer = setInterval(() => this.tick(), TICK);
    this.timer.unref();
  }

  rest(): void {
    if (this.timer) clearInterval(this.timer);
    this.timer = null;
  }

  private tick(): void {
    const now = this.now();
    // This process was stopped itself, or the machine slept: what came meanwhile has not been read yet.
    if (now - this.lastTick > 3 * TICK) this.lastHeard = now;
    this.lastTick = now;
    const silence = now - this.lastHeard;
    if (silence >= HANGING_AFTER) this.on.hanging();
    else if (silence >= ASK_AFTER && !this.asked) {
      this.asked = true;
      this.on.ask();
    }
  }
}
