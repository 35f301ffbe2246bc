/** A slot with its score; higher is better. */
export interface Ranked {
  readonly slot: number;
  readonly score: number;
}

/** Says whether a slot may be returned. Called inside a scan: it must be cheap and must not change the index. */
export type Accept = (slot: number) => boolean;

/**
 * The best `limit` of any number of offers, by descending score; of equal scores the higher slot (the newer
 * entry) comes first. A heap whose root is the worst one kept, so that most offers cost one comparison.
 */
export class TopRanked {
  readonly #scores: Float64Array;
  readonly #slots: Float64Array;
  #size = 0;

  /** `limit` is rounded down; anything that is not a positive number keeps nothing. `available` bounds it. */
  constructor(limit: number, available: number) {
    const capacity = limit > 0 ? Math.floor(Math.min(limit, available)) : 0;
    this.#scores = new Float64Array(capacity);
    this.#slots = new Float64Array(capacity);
  }

  /** Takes the slot in if its score is good enough and `accept` allows it. NaN never is. */
  offer(slot: number, score: number, accept?: Accept): void {
    const capacity = this.#scores.length;
    if (capacity === 0 || Number.isNaN(score)) return;
    const full = this.#size === capacity;
    if (full && !this.#isWorse(0, slot, score)) return;
    if (accept !== undefined && !accept(slot)) return;
    if (full) this.#sink(0, slot, score);
    else this.#rise(this.#size++, slot, score);
  }

  /** Empties the collector, best first. */
  take(): Ranked[] {
    const ranked: Ranked[] = [];
    while (this.#size > 0) {
      ranked.push({ slot: this.#slots[0] ?? 0, score: this.#scores[0] ?? 0 });
      this.#size -= 1;
      this.#sink(0, this.#slots[this.#size] ?? 0, this.#scores[this.#size] ?? 0);
    }
    return ranked.reverse();
  }

  #isWorse(at: number, slot: number, score: number): boolean {
    const kept = this.#scores[at] ?? 0;
    return kept < score || (kept === score && (this.#slots[at] ?? 0) < slot);
  }

  #put(at: number, slot: number, score: number): void {
    this.#slots[at] = slot;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#put(to, this.#slots[from] ?? 0, this.#scores[from] ?? 0);
  }

  #rise(start: number, slot: number, score: number): void {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, slot, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#put(at, slot, score);
  }

  #sink(start: number, slot: number, score: number): void {
    let at = start;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      const sibling = child + 1;
      if (sibling < this.#size && this.#isWorse(sibling, this.#slots[child] ?? 0, this.#scores[child] ?? 0)) {
        child = sibling;
      }
      if (!this.#isWorse(child, slot, score)) break;
      this.#move(child, at);
      at = child;
    }
    this.#put(at, slot, score);
  }
}
