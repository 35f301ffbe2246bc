import { matchAt } from './matchAt.js';
import type { Name } from './nameAround.js';
import type { SecretKind } from './names.js';
import { isPlausible } from './plausible.js';
import type { Value } from './readValue.js';
import { readValue, whole } from './readValue.js';
import { isCode, isExpression, isOrdinary, isPath, isRandom, isTechnical, VALUE_LOOK } from './values.js';

/** `the password for staging is`, `API key (prod):`, `Unseal Key 1:` */
const SAID =
  /[*_"'`]{0,3}(?: \d{1,2}(?=:)| (?:for|of|on|to|in|at) [^\n:=[\].;,]{1,40}?| \([^()\n[\]]{1,40}\))?(?:[:：]|[ \t]{1,4}(?:(?:is |was |has been )?(?:set|changed|rotated) (?:to|from)|is now|is|are|was|will be|to|=)(?=[ \t:]):?)[*_]{0,2}[ \t]{1,4}/iy;
/** The next cell of a table. */
const CELL = /[*_`]{0,3}[ \t]{0,40}\|[ \t]{1,4}/y;
const IN_CELL = /\|[ \t]{0,4}[*_`]{0,3}$/;
const BESIDE = /[*_]{0,2}[ \t]{1,4}(?=\S)/y;
/** A word that is none of those which lead to a value. */
const NEXT_WORD =
  / (?!(?:for|of|on|to|in|at|is|are|was|will|has|set|changed|rotated)[ \t])[A-Za-z]{1,30}(?![A-Za-z0-9@#$%^&*!+/=_-])/iy;
const WORD = /[A-Za-z]{1,30}(?![A-Za-z0-9@#$%^&*!+/=_-])/y;

/** The user that credentials begin with: `shop / …` */
const USER = /[\w.@-]{1,40} ?\/ ?/y;
/** What a changed secret is now. */
const THEN = / to ["'`]?(?=\S)/y;

/** A secret that a sentence gives right after its name. It has to look like one: sentences are about much else. */
export function saidValue(text: string, name: Name, named: SecretKind): Value | null {
  if (named === 'key') return null;
  if (matchAt(NEXT_WORD, text, name.end) !== null) return null;
  const kind = /^pw$/i.test(name.text) ? 'password' : named;
  const cell = IN_CELL.test(text.slice(Math.max(0, name.start - 8), name.start));
  const said = matchAt(cell ? CELL : SAID, text, name.end);
  const gap = said ?? matchAt(BESIDE, text, name.end);
  if (gap === null) return null;
  let start = name.end + gap[0].length;
  if (said === null && text.startsWith('--', start)) return null;
  if (said !== null && kind === 'login') start += matchAt(USER, text, start)?.[0].length ?? 0;
  if (matchAt(WORD, text, start) !== null) return null;
  const value = readValue(text, start, false);
  if (value === null || !isPlausible(text, value, kind, 'inline', ':')) return null;
  const look = text.slice(value.start, Math.min(value.end, value.start + VALUE_LOOK));
  if (said === null) return isSecretBeside(text, look, name, kind) ? value : null;
  if (isOrdinary(look) || isTechnical(look) || isPath(look) || isExpression(look)) return null;
  const end = whole(text, value);
  const then = /from\s{1,4}$/i.test(gap[0]) ? matchAt(THEN, text, end) : null;
  const next = then === null ? null : readValue(text, end + then[0].length, false);
  const all = { ...value, end: next === null ? end : whole(text, next) };
  if (kind === 'password') return look.length >= 5 ? all : null;
  return look.length >= 6 && /\d/.test(look) && !/\s/.test(look) && !isCode(look) ? all : null;
}

/** Who logs in does so with a password. */
const WITH = /(?:with|using) $/i;
const DIGITS_INSIDE = /^[A-Za-z]+\d+[A-Za-z]+!*$/;

/** Where nothing but white space stands between the two. */
function isSecretBeside(text: string, look: string, name: Name, kind: SecretKind): boolean {
  if (/\s/.test(look) || isOrdinary(look) || isTechnical(look) || isPath(look)) return false;
  // In capitals it is the fingerprint of a public key.
  if (isRandom(look)) return !/^[0-9A-F]+$/.test(look);
  if (kind !== 'password' || /^pass$/i.test(name.text) || look.length < 6 || !/\d/.test(look)) return false;
  return (
    !isCode(look) ||
    (WITH.test(text.slice(Math.max(0, name.start - 6), name.start)) && DIGITS_INSIDE.test(look))
  );
}

const HANDED_OVER = /(?<![A-Za-z])(?:this|that|the|my|our|your|new|following) $/i;

/** `try it with this key: …` Keys are many things, so this one has to be in no order, and no checksum. */
export function handedKey(text: string, name: Name): Value | null {
  if (name.text !== 'key' || !HANDED_OVER.test(text.slice(Math.max(0, name.start - 12), name.start)))
    return null;
  const said = matchAt(SAID, text, name.end);
  const value = said === null ? null : readValue(text, name.end + said[0].length, false);
  if (value === null) return null;
  const look = text.slice(value.start, Math.min(value.end, value.start + VALUE_LOOK));
  return isRandom(look) && !/^[0-9a-f]+$/i.test(look) && !isPath(look) ? value : null;
}
