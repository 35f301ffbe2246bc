import { matchAt } from './matchAt.js';
import { KEY_OWNER } from './names.js';

export interface Name {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Units of a name that are looked at to either side of the part it was found by. */
const REACH = 60;

/** Names in two words: `api key`. */
const FIRST = /(?<![A-Za-z0-9])([A-Za-z]{3,16}) $/;
const SECOND = / (?:key|token|secret|string|password)(?![A-Za-z0-9])/iy;

/** The name around a part of it, in any case style. */
export function nameAround(text: string, at: number): Name {
  let start = at;
  while (start > 0 && at - start < REACH && isNameUnit(text.charCodeAt(start - 1))) start -= 1;
  // The letter of an escape is no part of it: \nPASSWORD=
  if (start < at && text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '')) start += 1;
  // Nor are the digits of %26.
  if (text[start - 1] === '%' && start + 2 <= at && text.startsWith('26', start)) start += 2;
  while (start < at && text[start] === '-') start += 1;
  // A property of a Java machine: -Dname=value
  if (start < at && text[start] === 'D' && /(?<!-)-$/.test(text.slice(Math.max(0, start - 2), start)))
    start += 1;
  let end = at;
  while (end - at < REACH && isNameUnit(text.charCodeAt(end))) end += 1;

  const first = text[start - 1] === ' ' ? FIRST.exec(text.slice(Math.max(0, start - 18), start)) : null;
  if (isOwner(first?.[1])) start -= first?.[0].length ?? 0;
  if (text[end] === ' ' && isOwner(text.slice(start, end)))
    end = matchAt(SECOND, text, end) === null ? end : SECOND.lastIndex;
  while (text[end - 1] === '-') end -= 1;
  return { start, end, text: text.slice(start, end) };
}

/** Letters, digits, _ and -. */
function isNameUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 45
  );
}

function isOwner(word: string | undefined): boolean {
  return (
    word !== undefined &&
    word.length < 17 &&
    (KEY_OWNER.test(word.toLowerCase()) || /^(?:connection|refresh|bearer)$/i.test(word))
  );
}
