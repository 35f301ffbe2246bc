import { matchAt } from './matchAt.js';
import type { Name } from './nameAround.js';
import type { SecretKind } from './names.js';
import { isPlausible } from './plausible.js';
import type { Value } from './readValue.js';
import { readValue } from './readValue.js';

/** In front of the name its value, in a pair written the other way round: `"value": "…", "name": "DB_PASSWORD"`. */
const PAIR_BEFORE =
  /(?<=\bvalue["']?[ \t]{0,4}[:=][ \t]{0,4}\2([^"'\n]+)(["'])[ \t]{0,4},?\s{1,40}["']?(?:name|key|type)["']?[ \t]{0,4}[:=][ \t]{0,4}["']|\bvalue["']?:[ \t]{0,4}\4([^"'\n]+)(["']),["']?(?:name|key)["']?:[ \t]{0,4}["'])/diy;
const PAIR_END = /\b(?:name|key|type)["']?[ \t]{0,4}[:=][ \t]{0,4}["']$/i;
/** Behind it: `public string ApiKey { get; set; } = "…"` */
const PROPERTY = /\s{0,4}\{\s{0,4}get;[^{}\n]{0,40}\}[ \t]{0,4}=[ \t]{0,4}(?=[@$]?")/y;
/** `<input type="password" name="p" value="…">` */
const FIELD = /["'][^<>\n]{1,200}?[ \t]value=(?=["'])/y;
/** The headers of a part of a form, and the empty line under them (RFC 7578, 4.2). */
const PART = /"\r?\n(?:[\w-]{1,40}:[^\n]{0,100}\r?\n){0,2}\r?\n(?!-)/y;
/** In an address that is a parameter of another one. */
const ENCODED = /%3D(?!%(?:24|3C|7B))((?:[^\s"'`<>&%\\]|%(?!0[AD]|2[2367])[\dA-F]{2}){1,200})/iy;

/** The value of a name that does not stand right behind a sign. */
export function unusualPlace(text: string, front: string, name: Name, kind: SecretKind): Value | null {
  const property = matchAt(PROPERTY, text, name.end);
  const field = property === null && /\btype=["']$/.test(front) ? matchAt(FIELD, text, name.end) : null;
  const part = /[; ]name="$/.test(front) ? matchAt(PART, text, name.end) : null;
  const gap = property ?? field ?? part;
  if (gap !== null) return given(text, readValue(text, name.end + gap[0].length, part !== null), kind, '=');

  const encoded = matchAt(ENCODED, text, name.end)?.[1];
  if (encoded !== undefined) {
    const start = name.end + '%3D'.length;
    return given(text, { start, end: start + encoded.length, quoted: false }, kind, '=');
  }
  if (!PAIR_END.test(front)) return null;
  const before = matchAt(PAIR_BEFORE, text, name.start)?.indices;
  const value = before?.[1] ?? before?.[3];
  if (value === undefined) return null;
  return given(text, { start: value[0], end: value[1], quoted: true }, kind, ':');
}

function given(text: string, value: Value | null, kind: SecretKind, sign: string): Value | null {
  if (value === null) return null;
  return isPlausible(text, value, kind, value.quoted ? 'quoted' : 'line', sign) ? value : null;
}
