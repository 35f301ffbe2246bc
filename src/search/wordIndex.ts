import { Postings } from './postings.js';
import type { PostingList } from './postings.js';
import { TopRanked } from './ranked.js';
import type { Accept, Ranked } from './ranked.js';
import { tokenize } from './tokens.js';

/** How soon repetition stops counting, and how much length does: the usual values. */
const K1 = 1.2;
const B = 0.75;

/**
 * Word search by BM25. For a text of `length` terms that has a query term `tf` times, each term adds
 *
 *   idf * tf * (k1 + 1) / (tf + k1 * (1 - b + b * length / average)),  idf = ln(1 + (N - df + 0.5) / (df + 0.5))
 *
 * (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the 1 inside the
 * logarithm, as in Lucene, keeps it positive). Repeating a term in the query counts as often as it is repeated.
 */
export class WordIndex {
  readonly #terms = new Map<string, PostingList>();
  readonly #postings = new Postings();
  /** One more than the number of terms, by slot; 0 where there is no text. */
  #lengths = new Uint32Array(0);
  #size = 0;
  #totalLength = 0;
  /** Work space of a search, by slot and in order of meeting. */
  #scores = new Float64Array(0);
  #touched = new Uint32Array(0);

  get size(): number {
    return this.#size;
  }

  /** Throws a RangeError where the slot is no whole number from 0, or has a text already. */
  add(slot: number, text: string): void {
    if (!Number.isInteger(slot) || slot < 0)
      throw new RangeError(`A slot is a whole number from 0, not ${slot}.`);
    if (this.#has(slot)) throw new RangeError(`Slot ${slot} has a text already: remove that one first.`);
    const terms = tokenize(text);
    this.#makeRoom(slot);
    for (const [term, occurrences] of countTerms(terms)) {
      this.#postings.put(this.#terms.get(term) ?? this.#newTerm(term), slot, occurrences);
    }
    this.#lengths[slot] = terms.length + 1;
    this.#totalLength += terms.length;
    this.#size += 1;
  }

  /** Removes a slot, given the text it was added with; a slot that is not here is no error. */
  remove(slot: number, text: string): void {
    if (!this.#has(slot)) return;
    for (const term of new Set(tokenize(text))) {
      const list = this.#terms.get(term);
      if (list === undefined) continue;
      this.#postings.remove(list, slot);
      if (list.live > 0) continue;
      this.#postings.release(list);
      this.#terms.delete(term);
    }
    this.#totalLength -= (this.#lengths[slot] ?? 1) - 1;
    this.#lengths[slot] = 0;
    this.#size -= 1;
  }

  /** The `limit` accepted slots that share a term with the query and score highest, best first. */
  search(query: string, limit: number, accept?: Accept): Ranked[] {
    this.#scores.fill(0);
    let touched = 0;
    for (const [term, occurrences] of countTerms(tokenize(query))) {
      const list = this.#terms.get(term);
      if (list !== undefined) touched = this.#score(list, occurrences, touched);
    }
    const best = new TopRanked(limit, touched);
    for (let i = 0; i < touched; i += 1) {
      const slot = this.#touched[i] ?? 0;
      best.offer(slot, this.#scores[slot] ?? 0, accept);
    }
    return best.take();
  }

  /** Adds what one term is worth to every text that has it; returns how many slots have a score by now. */
  #score(list: PostingList, occurrences: number, touchedBefore: number): number {
    const { slots, counts } = this.#postings;
    const lengths = this.#lengths;
    const scores = this.#scores;
    const idf = Math.log(1 + (this.#size - list.live + 0.5) / (list.live + 0.5));
    const weight = occurrences * idf * (K1 + 1);
    const shortest = K1 * (1 - B);
    const perTerm = (K1 * B * this.#size) / this.#totalLength;
    let touched = touchedBefore;
    for (let at = list.start, end = list.start + list.used; at < end; at += 1) {
      const tf = counts[at] ?? 0;
      if (tf === 0) continue;
      const slot = slots[at] ?? 0;
      const before = scores[slot] ?? 0;
      if (before === 0) this.#touched[touched++] = slot;
      scores[slot] = before + (weight * tf) / (tf + shortest + perTerm * ((lengths[slot] ?? 1) - 1));
    }
    return touched;
  }

  #has(slot: number): boolean {
    return (this.#lengths[slot] ?? 0) > 0;
  }

  #newTerm(term: string): PostingList {
    const list = this.#postings.create();
    // A term cut out of a text keeps that whole text in memory; cut out of a copy of its own, it does not.
    this.#terms.set(` ${term}`.slice(1), list);
    return list;
  }

  #makeRoom(slot: number): void {
    if (slot < this.#lengths.length) return;
    const room = Math.ceil((slot + 1) * 1.5);
    const lengths = new Uint32Array(room);
    lengths.set(this.#lengths);
    this.#lengths = lengths;
    this.#scores = new Float64Array(room);
    this.#touched = new Uint32Array(room);
  }
}

function countTerms(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
