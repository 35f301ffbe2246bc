import type { Finding } from '../../core/ports.js';

const TAG = /<(\/?)private(?:[ \t\r\n][^<>]{0,200})?>/giy;
const CLOSING = /<\/private[ \t\r\n]{0,20}>/gi;
const CONTENT = /[\p{L}\p{N}]/u;

/**
 * `<private>…</private>` with its tags; without an end, to the end of the text. Spans may be nested. In code of one
 * line a tag alone is talk about the tag, and one that ends there with something inside is a span; the end of a span
 * may follow on code that ends with one.
 */
export function privateSpans(text: string): Finding[] {
  const spans: Finding[] = [];
  const hasEnd = endsOnItsLine(text);
  let depth = 0;
  let start = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at + 1)) {
    TAG.lastIndex = at;
    const tag = TAG.exec(text);
    if (tag === null) continue;
    const end = at + tag[0].length;
    const quoted = text[at - 1] === '`';
    if (tag[1] === '') {
      if (quoted && (text[end] === '`' || (text[at - 2] !== '`' && !hasEnd(end)))) continue;
      if (depth === 0) start = at;
      depth += 1;
    } else if (depth > 0 && !(quoted && text[end] === '`')) {
      depth -= 1;
      if (depth === 0) spans.push({ rule: 'private', start, end });
    }
  }
  if (depth > 0) spans.push({ rule: 'private', start, end: text.length });
  return spans;
}

/** Whether a span that begins at a place, each behind the last one asked for, ends on its line and holds anything. */
function endsOnItsLine(text: string): (from: number) => boolean {
  let closing = -1;
  let newline = -1;
  return (from) => {
    if (closing < from) {
      CLOSING.lastIndex = from;
      closing = CLOSING.exec(text)?.index ?? Infinity;
    }
    if (newline < from) newline = orEnd(text.indexOf('\n', from), text);
    // A tag in code of its own is talk again.
    const apart = text[closing - 1] === '`' && /^.{10,40}`/s.test(text.slice(closing, closing + 41));
    return closing < newline && !apart && CONTENT.test(text.slice(from, Math.min(closing, from + 400)));
  };
}

function orEnd(place: number, text: string): number {
  return place === -1 ? text.length : place;
}
