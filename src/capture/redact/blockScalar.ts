import { matchAt } from './matchAt.js';
import type { Name } from './nameAround.js';
import type { SecretKind } from './names.js';
import { isPlausible } from './plausible.js';
import type { Value } from './readValue.js';
import { VALUE_LOOK } from './values.js';

/** What a YAML value over several lines begins with (YAML 1.2.2, 8.1). */
const INDICATOR = /[|>](?:[-+]\d?|\d[-+]?)?[ \t]{0,20}(?:#[^\n]{0,200})?\r?\n/y;
/** The line up to its key: the mark of a diff or quotation, items of lists. */
const KEY_FRONT = /(?:^|\n)([-+>]?[ \t]*(?:- +)*)["']?$/;

/** The lines of the YAML block that is the value of this name and begins at `at`; the first line's indentation stays. */
export function blockScalar(
  text: string,
  front: string,
  name: Name,
  kind: SecretKind,
  at: number,
): Value | null {
  const indicator = matchAt(INDICATOR, text, at);
  const lead = indicator === null ? undefined : KEY_FRONT.exec(front)?.[1];
  if (indicator === null || lead === undefined) return null;
  const from = at + indicator[0].length;
  const block = readBlock(text, from, lead, VALUE_LOOK);
  if (block === null) return null;

  const constant = !/[a-z]/.test(name.text);
  const first = text.slice(block.start, block.end).split(/\r?\n/, 1)[0] ?? '';
  const line = { start: block.start, end: block.start + first.trimEnd().length, quoted: false };
  const given =
    isPlausible(text, line, kind, constant ? 'free' : 'line', ':') ||
    isPlausible(text, block, kind, constant ? 'free' : 'quoted', ':');
  return given ? readBlock(text, from, lead, Infinity) : null;
}

/** The lines that are indented deeper than their key, as far as they begin within `limit` units. */
function readBlock(text: string, from: number, lead: string, limit: number): Value | null {
  const mark = /^[-+>]/.exec(lead)?.[0];
  let first = -1;
  let last = -1;
  for (let at = from; at < text.length && at - from < limit;) {
    const newline = text.indexOf('\n', at);
    const next = newline === -1 ? text.length : newline;
    let start = text[at] === mark ? at + 1 : at;
    while (text[start] === ' ' || text[start] === '\t') start += 1;
    const end = text[next - 1] === '\r' ? next - 1 : next;
    if (start < end) {
      if (start - at <= lead.length) break;
      if (first === -1) first = start;
      last = end;
    }
    at = next + 1;
  }
  return first === -1 ? null : { start: first, end: last, quoted: true };
}
