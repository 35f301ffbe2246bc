import { matchAt } from './matchAt.js';

/** A span of the text that may be a secret. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  /** Whether a bare one goes on to the next blank, whatever quotes it holds. */
  readonly wholeLine?: boolean;
}

const OPENING = /[rbfuRBFU@$]{0,2}(\\{0,3})("""|'''|["'`])/y;

/** Filled in by a shell, or an expression. */
const SUBSTITUTION = /\$[A-Za-z_{(]|\(/y;

/** Units that are read at first; {@link whole} goes on to the end of what is longer. */
const QUOTED = 20_000;
const BARE = 128;

/** The quoted value that begins here, without its quotes, or else the run of other units. Null where there is none. */
export function readValue(text: string, from: number, wholeLine: boolean): Value | null {
  const opening = matchAt(OPENING, text, from);
  if (opening === null && matchAt(SUBSTITUTION, text, from) !== null) return null;
  const value =
    opening === null
      ? readRun(text, from, wholeLine)
      : readQuoted(text, from + opening[0].length, (opening[1] ?? '') + (opening[2] ?? ''));
  return value.start < value.end ? value : null;
}

/** Reads on where the value is longer than what was looked at: to the end of its line or run. */
export function whole(text: string, { start, end, quoted, wholeLine = false }: Value): number {
  if (end - start < (quoted ? QUOTED : BARE)) return end;
  const rest = quoted ? /[^\n]*/y : wholeLine ? /\S*/y : /[^\s"'`<>]*/y;
  const run = matchAt(rest, text, end)?.[0] ?? '';
  return end + (quoted ? run.length : (NEXT.exec(run)?.index ?? run.length));
}

/** A quote that is one of the value's own: doubled, or as shells need it: 'it'\''s'. */
const OWN_QUOTE = /''(?=\w)|'\\{1,2}''|'"'"'/y;

function readQuoted(text: string, start: number, quote: string): Value {
  const last = Math.min(text.length, start + QUOTED);
  const closing = quote.charCodeAt(0);
  for (let i = start; i < last; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit === 10 && quote.length !== 3)
      return { start, end: text[i - 1] === '\r' ? i - 1 : i, quoted: true };
    if (unit === closing && text.startsWith(quote, i)) {
      const own = quote === "'" ? (matchAt(OWN_QUOTE, text, i)?.[0].length ?? 0) : 0;
      if (own === 0) return { start, end: i, quoted: true };
      i += own - 1;
    } else if (unit === 92 && closing !== 92) i += 1;
  }
  return { start, end: last, quoted: true };
}

const LINE_RUN = /\S{1,128}/y;
const RUN = /[^\s"'`<>]{1,128}/y;

/** Where the next pair begins: `&b=`, `;Server=`, `,user=`; escapes for the end of a line or string; a link's end. */
const NEXT = /\)(?=[[\](])|[&;,|](?=[ \t]?["']?[A-Za-z_][\w .-]{0,40}["']?[=:])|\\+(?:[nrt]|["'`])/;

function readRun(text: string, start: number, wholeLine: boolean): Value {
  const pattern = wholeLine ? LINE_RUN : RUN;
  let run = matchAt(pattern, text, start)?.[0] ?? '';
  // A shell takes a blank behind a backslash for a part of the word.
  while (run.length < BARE && /[^\\]\\$/.test(run) && text[start + run.length] === ' ') {
    const more = matchAt(pattern, text, start + run.length + 1)?.[0];
    if (more === undefined) break;
    run += ` ${more}`;
  }
  const next = NEXT.exec(run)?.index;
  if (next === undefined && run.length >= BARE)
    return { start, end: start + run.length, quoted: false, wholeLine };
  return { start, end: start + trimmed(run.slice(0, next)), quoted: false };
}

const LOOSE_END = /[.,;:\\)\]}]$/;

/** Units without the punctuation of the sentence or call around it; a bracket that was opened inside stays. */
function trimmed(run: string): number {
  if (!LOOSE_END.test(run) || run.endsWith('...')) return run.length;
  let loose = '.,;:\\';
  for (const [opening, closing] of ['()', '[]', '{}']) {
    if (opening !== undefined && closing !== undefined && !run.includes(opening)) loose += closing;
  }
  let end = run.length;
  while (end > 0 && loose.includes(run[end - 1] ?? '')) end -= 1;
  return end;
}
