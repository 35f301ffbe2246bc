/** Occurrences above this count as this many, so that a count fits two bytes. */
export const MOST_OCCURRENCES = 0xffff;

const FIRST_ROOM = 1024;

/** Where the postings of one term are: ascending slots from `start`, of which the removed ones have count 0. */
export interface PostingList {
  start: number;
  blockClass: number;
  used: number;
  live: number;
}

/**
 * Slot and number of occurrences of every term, 6 bytes a posting, in two shared arrays: most terms have a
 * handful of postings, and a typed array of its own would cost each of them some 200 bytes.
 */
export class Postings {
  #slots = new Uint32Array(FIRST_ROOM);
  #counts = new Uint16Array(FIRST_ROOM);
  #end = 0;
  /** Starts of unused blocks, by block class. */
  readonly #free: number[][] = [];

  /** Shared storage, valid until the next change. */
  get slots(): Uint32Array {
    return this.#slots;
  }

  get counts(): Uint16Array {
    return this.#counts;
  }

  create(): PostingList {
    return { start: this.#takeBlock(0), blockClass: 0, used: 0, live: 0 };
  }

  /** Gives the block back; the list must not be used again. */
  release(list: PostingList): void {
    (this.#free[list.blockClass] ??= []).push(list.start);
  }

  /** Inserts or replaces the posting of a slot. Appending, the usual case, takes constant time. */
  put(list: PostingList, slot: number, occurrences: number): void {
    let at = this.#find(list, slot);
    if (at < list.start + list.used && this.#slots[at] === slot) {
      if (this.#counts[at] === 0) list.live += 1;
    } else {
      if (list.used === roomOf(list.blockClass)) {
        this.#rebuild(list);
        at = this.#find(list, slot);
      }
      const end = list.start + list.used;
      if (at < end) {
        this.#slots.copyWithin(at + 1, at, end);
        this.#counts.copyWithin(at + 1, at, end);
      }
      this.#slots[at] = slot;
      list.used += 1;
      list.live += 1;
    }
    this.#counts[at] = Math.min(occurrences, MOST_OCCURRENCES);
  }

  /** Removes the posting of a slot where there is one. */
  remove(list: PostingList, slot: number): void {
    const at = this.#find(list, slot);
    if (at === list.start + list.used || this.#slots[at] !== slot || this.#counts[at] === 0) return;
    this.#counts[at] = 0;
    list.live -= 1;
    if (list.used > 2 * list.live && list.live > 0) this.#rebuild(list);
  }

  /** Position of the first posting at or after the slot. */
  #find(list: PostingList, slot: number): number {
    let low = list.start;
    let high = list.start + list.used;
    if (high > low && (this.#slots[high - 1] ?? 0) < slot) return high;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#slots[middle] ?? 0) < slot) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Moves the live postings to a block with room for at least an eighth more. */
  #rebuild(list: PostingList): void {
    const { start, used } = list;
    const blockClass = classFor(Math.floor((list.live + 1) * 1.125));
    const target = this.#takeBlock(blockClass);
    let to = target;
    for (let from = start; from < start + used; from += 1) {
      const count = this.#counts[from] ?? 0;
      if (count === 0) continue;
      this.#slots[to] = this.#slots[from] ?? 0;
      this.#counts[to] = count;
      to += 1;
    }
    this.release(list);
    list.start = target;
    list.blockClass = blockClass;
    list.used = list.live;
  }

  #takeBlock(blockClass: number): number {
    const free = this.#free[blockClass]?.pop();
    if (free !== undefined) return free;
    const start = this.#end;
    this.#end += roomOf(blockClass);
    if (this.#end > this.#slots.length) {
      const length = Math.max(this.#end, Math.ceil(this.#slots.length * 1.25));
      const slots = new Uint32Array(length);
      slots.set(this.#slots);
      this.#slots = slots;
      const counts = new Uint16Array(length);
      counts.set(this.#counts);
      this.#counts = counts;
    }
    return start;
  }
}

/** Room of a block: 1, 2, 3, 4, 6, 8, 12, 16, ... so that at most a third of it is unused. */
function roomOf(blockClass: number): number {
  if (blockClass === 0) return 1;
  return (blockClass % 2 === 1 ? 2 : 3) * 2 ** ((blockClass - 1) >> 1);
}

function classFor(room: number): number {
  let blockClass = 0;
  while (roomOf(blockClass) < room) blockClass += 1;
  return blockClass;
}
