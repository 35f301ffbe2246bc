/** Made-up secrets: in the form of real ones, put together here so that no scanner takes this file for a leak. */

export const alphabets = {
  digits: '0123456789',
  hex: '0123456789abcdef',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  word: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
  base64: 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/',
};

/** The same characters for the same seed, in no order. */
export function filler(alphabet: keyof typeof alphabets, length: number, seed = 1): string {
  const letters = alphabets[alphabet];
  let state = (seed * 2654435761) >>> 0;
  let text = '';
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += letters.charAt((state >>> 8) % letters.length);
  }
  return text;
}

export interface Sample {
  readonly rule: string;
  /** The text in front of the secret, the secret, and the text behind it. */
  readonly hit: readonly [before: string, secret: string, after: string];
  /** Almost the same, and no secret. */
  readonly miss: string;
}

export function sample(rule: string, [before, secret, after]: Sample['hit'], miss: string): Sample {
  return { rule, hit: [before, secret, after], miss };
}

/** A token in the middle of a sentence, and one that is too short or of other characters. */
export function token(rule: string, secret: string, miss: string): Sample {
  return sample(rule, ['it printed ', secret, ' and went on'], `it printed ${miss} and went on`);
}

export function pem(kind: string, lineEnd = '\n', lines = 4): string {
  const body = Array.from({ length: lines }, (_, line) => filler('base64', 64, line + 7));
  return [`-----BEGIN ${kind}-----`, ...body, `-----END ${kind}-----`].join(lineEnd);
}
