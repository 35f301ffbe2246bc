import { MemoryError } from '../../src/core/errors.js';
import type { Embedder, EmbedderState } from '../../src/core/ports.js';

const DIMENSION = 64;
/** The first half of the space belongs to words, the second to texts that a test places. */
const AXES = DIMENSION / 2;

interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

/**
 * Stands in for the embedding model in tests: no file, no process, the same vector for the same text anywhere.
 * A text is the sum of its hashed words, unless a test gave it a place by {@link place}.
 */
export class WordEmbedder implements Embedder {
  readonly model: string;
  readonly dimension = DIMENSION;
  readonly runtime = 'stand-in';
  /** Set: there is no model, for this reason. */
  unavailable: string | null = null;
  /** Set: every call fails with this error. */
  failure: Error | null = null;
  /** Texts it fails on, whatever else is in the same call. */
  readonly poison = new Set<string>();
  /** What was asked for, in order. */
  readonly calls: { readonly texts: readonly string[]; readonly priority: 'interactive' | 'bulk' }[] = [];

  private readonly places = new Map<string, Float32Array>();
  /** Texts whose vector was handed out while they had no place. */
  private readonly used = new Set<string>();
  private axes = 0;
  private gate: Gate | null = null;
  private closed = false;

  constructor(model = 'words') {
    this.model = model;
  }

  get state(): EmbedderState {
    if (this.unavailable !== null) return { status: 'unavailable', reason: this.unavailable };
    return { status: this.gate && !this.busy ? 'loading' : 'ready' };
  }

  async embed(
    texts: readonly string[],
    priority: 'interactive' | 'bulk' = 'interactive',
  ): Promise<Float32Array[]> {
    this.calls.push({ texts, priority });
    await this.gate?.opened;
    if (this.closed) throw new MemoryError('no_model', 'The model was closed.');
    if (this.unavailable !== null) throw new MemoryError('no_model', this.unavailable);
    if (this.failure) throw this.failure;
    const bad = texts.find((text) => this.poison.has(text));
    if (bad !== undefined) throw new MemoryError('no_model', `"${bad}" was not embedded.`);
    return texts.map((text) => this.vectorOf(text));
  }

  close(): Promise<void> {
    this.closed = true;
    this.release();
    return Promise.resolve();
  }

  /** Set: while it is held it counts as loaded, with much to do. */
  busy = false;

  /** Every call waits from now on, until {@link release}. */
  hold(): void {
    this.gate ??= newGate();
  }

  release(): void {
    this.gate?.open();
    this.gate = null;
  }

  /**
   * Puts a text at exactly these cosines to others, e.g. `place('query', { 'task one': 0.84 })`. Each text named
   * on the right gets an axis of its own, so it is orthogonal to every other one and to all unplaced texts.
   */
  place(text: string, cosines: Readonly<Record<string, number>>): void {
    const vector = new Float32Array(DIMENSION);
    let left = 1;
    for (const [other, cosine] of Object.entries(cosines)) {
      vector[this.axis(other)] = cosine;
      left -= cosine * cosine;
    }
    if (left < -1e-9)
      throw new RangeError(`No unit vector has all of these cosines: ${JSON.stringify(cosines)}`);
    const rest = wordVector(text);
    for (const [at, value] of rest.entries()) vector[at] = value * Math.sqrt(Math.max(0, left));
    this.settle(text, vector);
  }

  /** Gives a text an axis of its own before it is stored; {@link place} does so for all it names. */
  axis(text: string): number {
    const existing = this.places.get(text)?.indexOf(1) ?? -1;
    if (existing >= AXES) return existing;
    if (this.places.has(text))
      throw new RangeError(`"${text}" was placed itself; nothing can be placed by it.`);
    if (this.axes === AXES) throw new RangeError(`Only ${AXES} texts can have an axis.`);
    const axis = AXES + this.axes;
    this.axes += 1;
    const vector = new Float32Array(DIMENSION);
    vector[axis] = 1;
    this.settle(text, vector);
    return axis;
  }

  vectorOf(text: string): Float32Array {
    const place = this.places.get(text);
    if (place) return place;
    this.used.add(text);
    const vector = new Float32Array(DIMENSION);
    vector.set(wordVector(text));
    return vector;
  }

  private settle(text: string, vector: Float32Array): void {
    if (this.used.has(text)) throw new RangeError(`"${text}" was embedded before it got its place.`);
    this.places.set(text, vector);
  }
}

/** A unit vector in the words' half of the space. */
function wordVector(text: string): Float64Array {
  const vector = new Float64Array(AXES);
  for (const word of text.toLowerCase().split(/[^\p{L}\p{N}]+/u)) {
    const code = hash(word);
    vector[code % AXES] = (vector[code % AXES] ?? 0) + (code & 0x10000 ? 1 : -1);
  }
  const length = Math.hypot(...vector);
  // Words that cancel each other out still need a direction.
  if (length === 0) vector[hash(text) % AXES] = 1;
  return vector.map((value) => value / (length || 1));
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let code = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) code = Math.imul(code ^ text.charCodeAt(at), 0x01000193);
  return code >>> 0;
}

function newGate(): Gate {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
