import { PASSWORD_LABEL } from './passwordWords.js';

/** What a placeholder is made of, apart from separators and runs of x. */
const FILLER: ReadonlySet<string> = new Set(
  (
    'your my the some insert replace enter put paste use with change this here real actual valid new old user app ' +
    'api db database access auth client private secure secret password passwd pass pwd token key value string ' +
    'credential credentials account service example sample dummy fake mock placeholder redacted masked hidden ' +
    'removed todo tbd default demo foo bar baz test me'
  ).split(' '),
);
const LONGEST_FILLER = 11;
const ALL_ENDS = (1 << (LONGEST_FILLER + 1)) - 1;

/** Where one of these is, the rest is not meant either. */
const TELLING =
  /(?:^|[^a-z])your[-_ .]|[-_ ](?:goes[-_ ])?here$|example|placeholder|redacted|change[-_]?me|replace[-_ ]?(?:me|with|this)|insert[-_ ]/i;

/** Characters that stand for what is not shown. */
const STARS = /^[xX*.•·●…_\-#?]+$|[*•●]{3}|x{5}|X{5}|…/;

/** In one run, and none of the other forms. */
const WITH_DIGIT = /^[A-Za-z]*\d[A-Za-z\d]*$/;

/** Units of a text that are looked at; placeholders are short. */
const LOOK = 256;
const LONGEST = 80;

/** Only what stands in for a secret: `your-token`, `xxxx`, `changeme`, `***`. */
export function isFiller(text: string): boolean {
  const look = text.slice(0, LOOK);
  if (STARS.test(look)) return true;
  if (WITH_DIGIT.test(look)) return false;
  if (PASSWORD_LABEL.test(look) || (TELLING.test(look) && isWords(look))) return true;
  if (text.length > LONGEST || /[0-9\u0080-\uffff]/.test(look)) return false;
  const words = look.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.length > 0 && words.every((word) => /^x{3,}$/.test(word) || isFillerWord(word));
}

/** As {@link isFiller}, or with a word in it that no generated token holds. */
function isTokenFiller(text: string): boolean {
  return isFiller(text) || TELLING.test(text.slice(0, LOOK));
}

/** A name in small words, such as a style class or a package: `toggleable__content`, `container-id-1`. */
function isWords(text: string): boolean {
  const words = text.slice(0, LOOK).split(/[-_./]+/);
  if (words.length === 1 && text.length >= 16) return false;
  return words.every((word) => /^(?:[a-z]{0,20}|[A-Z]?[a-z]{1,20}|[A-Z]{1,20}|\d{1,3})$/.test(word));
}

export function isToken(body: string): boolean {
  return !isTokenFiller(body);
}

/** For prefixes that ordinary names have, too. */
export function isUnlikeName(body: string): boolean {
  return !isTokenFiller(body) && !isWords(body);
}

/** Whether filler put together without anything between gives the word: `mypassword`. */
function isFillerWord(word: string): boolean {
  if (FILLER.has(word)) return true;
  // A bit for each place that filler ends at, the last places only.
  let ends = 1;
  for (let end = 1; end <= word.length; end += 1) {
    ends <<= 1;
    for (let length = 1; length <= LONGEST_FILLER; length += 1) {
      if ((ends & (1 << length)) === 0 || !FILLER.has(word.slice(end - length, end))) continue;
      ends |= 1;
      break;
    }
    ends &= ALL_ENDS;
    if (ends === 0) return false;
  }
  return (ends & 1) === 1;
}
