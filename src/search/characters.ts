/** What a character is to the tokenizer. */
export const BREAK = 1;
/** Letters and digits of scripts that put spaces between words, and the underscore. */
export const WORD = 2;
/** Letters of scripts that do not, or whose words run together. */
export const SPACELESS = 3;
/** Combining characters: they belong to whatever stands before them. */
export const MARK = 4;

export type CharacterKind = typeof BREAK | typeof WORD | typeof SPACELESS | typeof MARK;

// The long-vowel mark and the closing mark are shared between scripts, hence not in any of these by property.
const SPACELESS_SCRIPT =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\u30FC\u3006]/u;

/** Kinds of the characters met so far; 0 is not known yet. */
const known = new Uint8Array(0x10000);

export function kindOf(codePoint: number): CharacterKind {
  if (codePoint >= known.length) return classify(codePoint);
  const kind = known[codePoint];
  if (kind === BREAK || kind === WORD || kind === SPACELESS || kind === MARK) return kind;
  return (known[codePoint] = classify(codePoint));
}

function classify(codePoint: number): CharacterKind {
  const character = String.fromCodePoint(codePoint);
  if (character === '_' || /\p{Nd}/u.test(character)) return WORD;
  if (/\p{M}/u.test(character)) return MARK;
  if (!/[\p{L}\p{N}]/u.test(character)) return BREAK;
  return SPACELESS_SCRIPT.test(character) ? SPACELESS : WORD;
}
