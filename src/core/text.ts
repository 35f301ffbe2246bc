/** Text as it is stored: lone surrogates, which no UTF-8 file can hold, become U+FFFD. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** No script piles this many marks on a letter, and the time of a Unicode normalisation grows with their square. */
const PILED_MARKS = /\p{M}{100}/u;

/** Two texts are the same text when their folds are equal: NFKC, white space collapsed and trimmed. */
export function foldSpace(text: string): string {
  const folded = PILED_MARKS.test(text) ? text : text.normalize('NFKC');
  return folded.replace(/\s+/gu, ' ').trim();
}

/** As {@link foldSpace}, and without regard to case: what counts as the identical question. */
export function foldIdentity(text: string): string {
  // By way of upper case, where ß is SS and both sigmas are one.
  return foldSpace(text).toUpperCase().toLowerCase();
}

/** Bytes the text takes as UTF-8; a lone surrogate counts as the U+FFFD that replaces it. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) {
      bytes += 4;
      i += 1;
    } else bytes += 3;
  }
  return bytes;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Scripts written without spaces between words: about one token a character. */
const WIDE_SCRIPTS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\u3000-\u303f\uff00-\uffef]/gu;

/** Estimated model tokens: one for each CJK character, one for every four others. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (const match of text.matchAll(WIDE_SCRIPTS)) wide += match[0].length;
  return wide + Math.ceil((text.length - wide) / 4);
}

/** At most `limit` UTF-16 units, never half a character, with an ellipsis where something was cut. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, Math.max(0, limit - 1)).toWellFormed();
  return `${cut.endsWith('\ufffd') ? cut.slice(0, -1) : cut}…`;
}

/** UTF-16 units of a task that a list of entries shows. */
export const TASK_LENGTH = 300;

/** What a snippet looks at: enough to place it well, little enough not to hold up anybody. */
const SNIPPET_TEXT = 50_000;
const SNIPPET_WORDS = 32;

/** The part of `text`, at most `limit` units on one line, that shows most of the given words. */
export function snippet(text: string, words: readonly string[], limit: number): string {
  const line = text.slice(0, SNIPPET_TEXT).replace(/\s+/gu, ' ').trim();
  if (line.length <= limit) return line;
  const lower = line.toLowerCase();
  const asked = [...new Set(words)].filter((word) => word.length > 1).slice(0, SNIPPET_WORDS);
  const at = asked.map((word) => lower.indexOf(word)).filter((index) => index >= 0);
  const first = at.length === 0 ? 0 : Math.min(...at);
  const start = first < limit / 2 ? 0 : Math.max(0, first - Math.floor(limit / 4));
  const part = shorten(line.slice(start).replace(/^[\udc00-\udfff]/, ''), start === 0 ? limit : limit - 1);
  return start === 0 ? part : `…${part}`;
}
