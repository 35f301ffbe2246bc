import { TopRanked } from './ranked.js';
import type { Accept, Ranked } from './ranked.js';

const FIRST_ROWS = 64;
const NO_ROW = -1;

/**
 * Unit vectors of one model in one block of memory, searched exactly: every row is looked at.
 * Memory is 4 bytes per component plus 4 per slot up to the highest one.
 */
export class VectorMatrix {
  readonly #dimension: number;
  #values: Float32Array;
  #slotOfRow: Uint32Array;
  #rowOfSlot = new Int32Array(0);
  #size = 0;

  /** Throws a RangeError unless `dimension` is a positive integer. */
  constructor(dimension: number) {
    if (!Number.isInteger(dimension) || dimension < 1) {
      throw new RangeError(`A vector needs a positive whole number of components, not ${dimension}.`);
    }
    this.#dimension = dimension;
    this.#values = new Float32Array(FIRST_ROWS * dimension);
    this.#slotOfRow = new Uint32Array(FIRST_ROWS);
  }

  get size(): number {
    return this.#size;
  }

  /** Copies `values` in, replacing what the slot had. Throws a RangeError on another dimension or a bad slot. */
  set(slot: number, values: Float32Array): void {
    this.#checkDimension(values);
    if (!Number.isInteger(slot) || slot < 0)
      throw new RangeError(`A slot is a whole number from 0, not ${slot}.`);
    let row = this.#rowOf(slot);
    if (row === NO_ROW) {
      this.#makeRoom(slot);
      row = this.#size++;
      this.#rowOfSlot[slot] = row;
      this.#slotOfRow[row] = slot;
    }
    this.#values.set(values, row * this.#dimension);
  }

  /** Forgets the slot; one that is not here is no error. */
  delete(slot: number): void {
    const row = this.#rowOf(slot);
    if (row === NO_ROW) return;
    const last = --this.#size;
    const moved = this.#slotOfRow[last] ?? 0;
    this.#values.copyWithin(row * this.#dimension, last * this.#dimension, (last + 1) * this.#dimension);
    this.#slotOfRow[row] = moved;
    this.#rowOfSlot[moved] = row;
    this.#rowOfSlot[slot] = NO_ROW;
  }

  has(slot: number): boolean {
    return this.#rowOf(slot) !== NO_ROW;
  }

  /** A copy of the slot's vector; undefined where it has none. */
  get(slot: number): Float32Array | undefined {
    const row = this.#rowOf(slot);
    if (row === NO_ROW) return undefined;
    return this.#values.slice(row * this.#dimension, (row + 1) * this.#dimension);
  }

  /** Dot product of the slot's vector with `query`: the cosine, as both are unit vectors. */
  similarity(slot: number, query: Float32Array): number | undefined {
    this.#checkDimension(query);
    const row = this.#rowOf(slot);
    return row === NO_ROW ? undefined : dot(this.#values, row * this.#dimension, query);
  }

  /** The `limit` accepted slots with the highest dot product, best first. */
  nearest(query: Float32Array, limit: number, accept?: Accept): Ranked[] {
    this.#checkDimension(query);
    const best = new TopRanked(limit, this.#size);
    const values = this.#values;
    const dimension = this.#dimension;
    for (let row = 0, start = 0; row < this.#size; row += 1, start += dimension) {
      best.offer(this.#slotOfRow[row] ?? 0, dot(values, start, query), accept);
    }
    return best.take();
  }

  #rowOf(slot: number): number {
    return this.#rowOfSlot[slot] ?? NO_ROW;
  }

  #checkDimension(values: Float32Array): void {
    if (values.length !== this.#dimension) {
      throw new RangeError(
        `This index holds vectors of ${this.#dimension} components and was given one of ${values.length}: ` +
          'vectors of two models must not be mixed.',
      );
    }
  }

  #makeRoom(slot: number): void {
    if (this.#size === this.#slotOfRow.length) {
      const rows = Math.ceil(this.#size * 1.5);
      const values = new Float32Array(rows * this.#dimension);
      values.set(this.#values);
      this.#values = values;
      const slots = new Uint32Array(rows);
      slots.set(this.#slotOfRow);
      this.#slotOfRow = slots;
    }
    if (slot >= this.#rowOfSlot.length) {
      const rowOfSlot = new Int32Array(Math.ceil((slot + 1) * 1.5)).fill(NO_ROW);
      rowOfSlot.set(this.#rowOfSlot);
      this.#rowOfSlot = rowOfSlot;
    }
  }
}

/** Summed in float64, in four chains: one chain alone would wait for each addition. */
function dot(values: Float32Array, start: number, query: Float32Array): number {
  const length = query.length;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < length; i += 4) {
    a += (values[start + i] ?? 0) * (query[i] ?? 0);
    b += (values[start + i + 1] ?? 0) * (query[i + 1] ?? 0);
    c += (values[start + i + 2] ?? 0) * (query[i + 2] ?? 0);
    d += (values[start + i + 3] ?? 0) * (query[i + 3] ?? 0);
  }
  for (; i < length; i += 1) a += (values[start + i] ?? 0) * (query[i] ?? 0);
  return a + b + (c + d);
}
