import type { Finding } from '../../core/ports.js';

const TAG = /<(\/?)(private)(?:[ \t\r\n][^<>]{0,200})?>/giy;
const CLOSING = /<\/private[ \t\r\n]{0,20}>/gi;
/** A name, or what the end of one was masked as. */
const NAME_END = /[\w$]$|\[REDACTED:(?!private\])[a-z0-9_]{1,40}\]$/;
const CONTENT = /[\p{L}\p{N}]/u;

/**
 * `<private>…</private>` with its tags; without an end, to the end of the text. Spans may be nested. In code of one
 * line a tag alone is talk about the tag, and one that ends there with something inside is a span; the end of a span
 * may follow on code that ends with one. What may be a type in a program, `Local<Private>`, is a tag only where a
 * closing one follows.
 */
export function privateSpans(text: string): Finding[] {
  const spans: Finding[] = [];
  const hasEnd = endsOnItsLine(text);
  const hasEndBehind = endsBehind(text);
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
      if (isType(text, at, tag[2] ?? '') && !hasEndBehind(end)) continue;
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

/** The argument of a generic type, or a class: behind a name, or of small letters and large ones. */
function isType(text: string, at: number, name: string): boolean {
  return NAME_END.test(text.slice(Math.max(0, at - 60), at)) || !/^(?:[a-z]+|[A-Z]+)$/.test(name);
}

/** Whether there is a closing tag behind a place. */
function endsBehind(text: string): (from: number) => boolean {
  let last: number | undefined;
  return (from) => {
    if (last === undefined) {
      last = -1;
      CLOSING.lastIndex = 0;
      for (let end = CLOSING.exec(text); end !== null; end = CLOSING.exec(text)) last = end.index;
    }
    return last >= from;
  };
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
