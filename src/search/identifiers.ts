import { foldLatin } from './latin.js';

/** UTF-16 code units of one term; the rest of a longer one is dropped. */
const LONGEST_TERM = 256;

// user|Name, HTTP|Server, SHA256|Sum, URL|s. The plural s is no word of its own: UR|Ls would be wrong.
const CAMEL_BORDER =
  /(?<=\p{Ll})(?=\p{Lu})|(?<=[\p{Lu}\p{Nd}])(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})|(?<=\p{Lu}\p{Lu})(?=s(?!\p{Ll}))/u;
// sha256, 500ms; not v1, 10k, k8s or a hexadecimal id.
const NUMBERED = /^(?:\p{L}{2,}\p{Nd}+|\p{Nd}+\p{L}{2,})$/u;
// Most words: nothing to split.
const PLAIN_WORD = /^\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+$/u;
// Latin-1 letters to Latin Extended-B and Latin Extended Additional, and what NFKC could not compose.
const DIACRITICS = /[\u00DF-\u024F\u1E00-\u1EFF]|[a-z]\p{M}/u;

/**
 * Adds the terms of a word, identifier, path, flag or version: each level whole, then its parts, all in lower
 * case. `src/userName.ts` gives itself, src, userName.ts, userName, user, name and ts.
 */
export function pushIdentifierTerms(terms: string[], text: string): void {
  if (PLAIN_WORD.test(text)) {
    pushTerm(terms, text);
    return;
  }
  const bare = text.replace(/^[-.@#$]+/u, '').replace(/(?:\+\+|#)$/u, '');
  if (bare !== text) pushTerm(terms, text);
  const sections = bare.split(/[/\\:@]+/u);
  // One spelling of a path whichever way its separators lean.
  if (sections.length > 1) pushTerm(terms, bare.replace(/\\+/gu, '/'));
  for (const section of sections) pushSection(terms, section);
}

function pushSection(terms: string[], text: string): void {
  const section = text.replace(/'s$/iu, '');
  const words = section.split(/[._-]+/u).filter((word) => word !== '');
  if (words.length === 0) return;
  if (words[0] !== section) {
    pushTerm(terms, section);
    if (/^v\d/iu.test(section)) pushTerm(terms, section.slice(1));
  }
  for (const word of words) pushElided(terms, word);
}

/** l'homme and don't: whole, and the parts that are more than the one letter left of a word. */
function pushElided(terms: string[], word: string): void {
  const parts = word.split("'");
  if (parts.length > 1) pushTerm(terms, word);
  for (const part of parts) {
    if (parts.length === 1 || part.length > 1) pushWord(terms, part);
  }
}

function pushWord(terms: string[], word: string): void {
  const parts = word.split(CAMEL_BORDER);
  if (parts.length > 1) pushTerm(terms, word);
  for (const part of parts) {
    if (parts.length > 1 && /^\p{L}$/u.test(part)) continue;
    pushTerm(terms, part);
    if (NUMBERED.test(part)) {
      for (const half of part.split(/(?<=\p{L})(?=\p{Nd})|(?<=\p{Nd})(?=\p{L})/u)) pushTerm(terms, half);
    }
  }
}

function pushTerm(terms: string[], text: string): void {
  const term = text.slice(0, LONGEST_TERM).toLowerCase();
  terms.push(term);
  if (!DIACRITICS.test(term)) return;
  const folded = foldLatin(term);
  if (folded !== term) terms.push(folded);
}
