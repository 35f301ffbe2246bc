/** Word pieces of text that the model reads at once; it was trained to see 256 with its two marks. */
export const PIECE_TOKENS = 254;

/** Pieces embedded per text at most. One full piece takes about 30 ms. */
export const MAX_PIECES = 16;

/** Longest text, in UTF-16 units, that reaches the tokenizer. The pieces rarely cover more than this. */
export const MAX_CHARS = 32_768;

/** A text of any length as at most {@link MAX_CHARS} units: windows spread evenly from its start to its end. */
export function excerpt(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const width = MAX_CHARS / MAX_PIECES - 1;
  return spread(text.length, width, MAX_PIECES)
    .map((start) => text.slice(start, start + width))
    .join(' ');
}

/**
 * Cuts token ids into pieces of {@link PIECE_TOKENS}. Where that makes more than {@link MAX_PIECES}, that many
 * are spread evenly, the first at the start and the last at the end. No ids give one empty piece.
 */
export function splitPieces(ids: readonly number[]): number[][] {
  const count = Math.max(1, Math.ceil(ids.length / PIECE_TOKENS));
  const starts =
    count > MAX_PIECES
      ? spread(ids.length, PIECE_TOKENS, MAX_PIECES)
      : Array.from({ length: count }, (_, index) => index * PIECE_TOKENS);
  return starts.map((start) => ids.slice(start, start + PIECE_TOKENS));
}

/** Unit vector of a text from the unit vectors of its pieces: their mean by weight, scaled to length 1. */
export function combine(vectors: readonly Float32Array[], weights: readonly number[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  vectors.forEach((vector, index) => {
    const weight = weights[index] ?? 0;
    vector.forEach((value, at) => (sum[at] = (sum[at] ?? 0) + weight * value));
  });
  return normalize(sum);
}

/** The vector scaled to length 1; a zero vector stays as it is. */
export function normalize(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return length > 0 ? vector.map((value) => value / length) : vector;
}

function spread(length: number, width: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => Math.round((index * (length - width)) / (count - 1)));
}
