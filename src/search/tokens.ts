import { BREAK, kindOf, MARK, SPACELESS, WORD } from './characters.js';
import { pushIdentifierTerms } from './identifiers.js';

/** UTF-16 code units kept of one identifier or path, and of one run of a script without spaces. */
const LONGEST_IDENTIFIER = 1024;
const LONGEST_RUN = 16_384;

/**
 * Terms of a text, in order, repeated as often as they occur. Texts and queries must both go through here.
 * Takes time linear in the length of the text, whatever is in it.
 */
export function tokenize(text: string): string[] {
  const normal = normalize(text);
  const terms: string[] = [];
  let at = 0;
  while (at < normal.length) {
    const kind = kindAt(normal, at);
    if (kind === WORD) {
      const end = endOfIdentifier(normal, at);
      const start = startOfPrefix(normal, at);
      pushIdentifierTerms(terms, normal.slice(start, Math.min(end, start + LONGEST_IDENTIFIER)));
      at = end;
    } else if (kind === SPACELESS) {
      const end = endOfRun(normal, at, SPACELESS);
      pushGrams(terms, normal.slice(at, Math.min(end, at + LONGEST_RUN)));
      at = end;
    } else {
      at += width(normal, at);
    }
  }
  return terms;
}

/**
 * NFKC, one apostrophe, nothing invisible inside words. Normalizing takes quadratic time over a long run of
 * combining marks, so these are first broken up by a joiner after every 30, as the Stream-Safe Text Process of
 * UAX #15 does.
 */
function normalize(text: string): string {
  if (!/[^\0-\x7f]/u.test(text)) return text;
  return text
    .replace(/\u00AD|\u20E3|\p{Variation_Selector}/gu, '')
    .replace(/(?:\p{M}|[\uFF9E\uFF9F]){30}/gu, '$&\u034F')
    .normalize('NFKC')
    .replaceAll('’', "'");
}

function kindAt(text: string, at: number): number {
  const codePoint = text.codePointAt(at);
  return codePoint === undefined ? BREAK : kindOf(codePoint);
}

function width(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function endOfRun(text: string, start: number, kind: number): number {
  let at = start;
  while (at < text.length) {
    const next = kindAt(text, at);
    if (next !== kind && next !== MARK) break;
    at += width(text, at);
  }
  return at;
}

/** End of words joined by single connectors, as in a path, with the ++ or # some language names end in. */
function endOfIdentifier(text: string, start: number): number {
  let end = endOfRun(text, start, WORD);
  for (;;) {
    const next = end + connectorLength(text, end);
    if (next === end || kindAt(text, next) !== WORD) break;
    end = endOfRun(text, next, WORD);
  }
  if (text.startsWith('++', end)) return end + 2;
  if (text[end] === '#' && kindAt(text, end + 1) !== WORD) return end + 1;
  return end;
}

function connectorLength(text: string, at: number): number {
  switch (text[at]) {
    case '-':
    case '.':
    case '/':
    case '@':
    case "'":
      return 1;
    case '\\':
      return text[at + 1] === '\\' ? 2 : 1;
    case ':':
      if (text.startsWith('://', at)) return 3;
      if (text.startsWith(':\\\\', at)) return 3;
      return text[at + 1] === ':' || text[at + 1] === '\\' || text[at + 1] === '/' ? 2 : 1;
    default:
      return 0;
  }
}

/** Where the sign before a word begins that is part of its name: --flag, -f, .NET, @scope, #12, $HOME. */
function startOfPrefix(text: string, start: number): number {
  let at = start;
  if (text.startsWith('--', start - 2)) at = start - 2;
  else if ('-.@#$'.includes(text[start - 1] ?? ' ')) at = start - 1;
  // Only at the beginning: in "wait...what" and "a--b" the signs are punctuation.
  return kindAt(text, at - 1) === WORD || '-.@#$'.includes(text[at - 1] ?? ' ') ? start : at;
}

/** Each character with its marks, and each pair of neighbours. */
function pushGrams(terms: string[], run: string): void {
  let previous = '';
  for (let at = 0; at < run.length;) {
    const end = endOfCluster(run, at);
    const cluster = run.slice(at, end);
    terms.push(cluster);
    if (previous !== '') terms.push(previous + cluster);
    previous = cluster;
    at = end;
  }
}

function endOfCluster(run: string, start: number): number {
  let at = start + width(run, start);
  while (at < run.length && kindAt(run, at) === MARK) at += width(run, at);
  return at;
}
