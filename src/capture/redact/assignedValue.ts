import { blockScalar } from './blockScalar.js';
import { matchAt } from './matchAt.js';
import type { Name } from './nameAround.js';
import type { SecretKind } from './names.js';
import type { Form } from './plausible.js';
import { isPlausible } from './plausible.js';
import type { Value } from './readValue.js';
import { readValue } from './readValue.js';
import { unusualPlace } from './unusualPlaces.js';
import { isOrdinary } from './values.js';

/** Behind the name its quote, an index or bracket, then what assigns or compares. */
const SEPARATOR =
  /(?:\\{0,3}["'`])?(?:\[\w{0,8}\]|\])?\)?[ \t]{0,40}(\?:|:=|=>|[=!]==?|\|\|=|\?{1,2}=|[=:：])(?:[ \t]{0,4}\\\r?\n)?[ \t]{0,40}/y;
/** In JSON the value may be on a line of its own. */
const MEMBER = /"\s{0,40}(:)\s{0,40}(?=")/y;
const CONTINUED = /\\\r?\n[ \t]*/;
/** What YAML has before a value: a name for it, or its type. */
const NODE_PROPERTY = /(?:&[\w-]{1,60}|!!\w{1,20})[ \t]{1,4}(?=\S)/y;
const COMPARES = /^[=!]==?$/;
/** A type between name and value: `password: string = "…"`. */
const ANNOTATION = /[&A-Za-z_][\w.<>[\]|& ]{0,60}?=(?![=>])[ \t]{0,4}/y;
/** The value has a key of its own: `name: DB_PASSWORD` and, on the next line, `value: …`. */
const PAIR = /["']?\s{0,40}(?:[,;]\s{0,40})?["']?(?:default)?value["']?[ \t]{0,4}[:=][ \t]{0,4}/iy;
/** Terraform: `variable "token" { default = … }` */
const VARIABLE_BLOCK = /"[ \t]{0,4}\{\s[^{}]{0,300}?\bdefault[ \t]{0,20}=[ \t]{0,4}/y;
const ELEMENT = /(?<=<[\w:.-]{1,120})(?:[ \t][^<>\n]{0,200})?>(?=[^<\s])|<\/key>\s{0,20}<string>/y;
/** The next argument of a call. */
const ARGUMENT = /["'],[ \t]{0,4}(?=["'])/y;
const FIRST_ARGUMENT = /(?:\([ \t]{0,4}["']|["']--?)$/;
/** What it is set to by a call: `setPassword("…")`, `set_secret("db", "…")`. */
const CALL = /\((?:["'][^"'\n]{0,60}["'],[ \t]{0,4})?(?=["'])/y;
const SETS = /^(?:(?:set|with|put|store|save|update|change)[_A-Z]|pass(?:word|wd|phrase)$)/i;
/** Of a sentence; nothing else can follow then. */
const WORD = / (?!(?:default)?value\b)[A-Za-z]/iy;
const SPACE = /[ \t]{1,4}(?=[^\s-])/y;
/** Takes the next word for a value: flags, and what sets variables without a sign. */
const TAKES_NEXT = /(?:(?<![\w-])--?|\bsetx\s{1,4}|\bENV\s{1,4}|\bset -[gxU]{1,3}\s{1,4})$/;

const LINE_START = /(?:^|\n)[ \t]*(?:[#;] ?|\/\/ ?)?(?:export |set |- )?[ \t]*["']?$/;
const LINE_END = /^[ \t]*(?:[#;].*)?(?:$|\r?\n|\\n)/;
/** Before the names of flags and of the parameters of an address. */
const NAMES_VALUE = /(?:[?&#]|--?)$/;

/** The secret that is assigned to this name in any notation: code, configuration, shell, flags, queries, XML. */
export function assignedValue(text: string, name: Name, kind: SecretKind): Value | null {
  const front = text.slice(Math.max(0, name.start - 40), name.start);
  if (!front.includes('<') && matchAt(WORD, text, name.end) !== null) return spaced(text, front, name, kind);
  const separator =
    (front.endsWith('"') ? matchAt(MEMBER, text, name.end) : null) ?? matchAt(SEPARATOR, text, name.end);
  // A part of an address: arn:aws:secretsmanager:eu-west-1:1234:secret:name
  if (front.endsWith(':') && separator?.[0] === ':') return null;
  if (separator !== null) return separated(text, front, name, kind, separator[0], separator[1] ?? '');

  const read = (gap: RegExpExecArray, bare: Form, quoted: Form): Value | null => {
    const value = readValue(text, name.end + gap[0].length, false);
    return value !== null && isPlausible(text, value, kind, value.quoted ? quoted : bare, '=') ? value : null;
  };
  const pair = matchAt(PAIR, text, name.end) ?? matchAt(VARIABLE_BLOCK, text, name.end);
  if (pair !== null) return isConstant(name) ? read(pair, 'free', 'free') : read(pair, 'line', 'quoted');
  const element = matchAt(ELEMENT, text, name.end);
  if (element !== null) {
    const value = read(element, 'line', 'quoted');
    return value !== null && text.startsWith('</', value.end) ? value : null;
  }
  const argument = FIRST_ARGUMENT.test(front) ? matchAt(ARGUMENT, text, name.end) : null;
  if (argument !== null) return read(argument, 'inline', isConstant(name) ? 'free' : 'inline');
  const call = SETS.test(name.text) ? matchAt(CALL, text, name.end) : null;
  if (call !== null) return read(call, 'inline', 'inline');
  return unusualPlace(text, front, name, kind) ?? spaced(text, front, name, kind);
}

/** The next word. */
function spaced(text: string, front: string, name: Name, kind: SecretKind): Value | null {
  const space = TAKES_NEXT.test(front) ? matchAt(SPACE, text, name.end) : null;
  const value = space === null ? null : readValue(text, name.end + space[0].length, false);
  return value !== null && isPlausible(text, value, kind, value.quoted ? 'quoted' : 'inline', '=')
    ? value
    : null;
}

function separated(
  text: string,
  front: string,
  name: Name,
  kind: SecretKind,
  separator: string,
  sign: string,
): Value | null {
  let start = name.end + separator.length;
  const type = sign === ':' ? matchAt(ANNOTATION, text, start) : null;
  const typed = type === null ? null : readValue(text, start + type[0].length, false);
  if (typed?.quoted === true) return isPlausible(text, typed, kind, 'quoted', '=') ? typed : null;

  const startsLine = !/["'`]/.test(text[start] ?? '') && LINE_START.test(front);
  const block = sign === ':' ? blockScalar(text, front, name, kind, start) : null;
  if (block !== null) return block;
  if (sign === ':' && startsLine) start += matchAt(NODE_PROPERTY, text, start)?.[0].length ?? 0;
  const namesString = /["'`]$/.test(front);
  const wholeLine = startsLine && isConstant(name) && separator === '=' && !namesString;
  const value = readValue(text, start, wholeLine);
  if (value === null) return null;
  if (!value.quoted && (sign === '=>' || COMPARES.test(sign))) return null;

  let form: Form = value.quoted ? 'quoted' : 'inline';
  const blanks = separator.replace(CONTINUED, '').length - sign.length;
  const constant = isConstant(name) && (sign === ':' || sign === '?=' || blanks <= 1);
  if (COMPARES.test(sign)) form = 'inline';
  else if (constant || NAMES_VALUE.test(front)) form = 'free';
  else if (!value.quoted && startsLine && LINE_END.test(text.slice(value.end, value.end + 40))) form = 'line';
  if (separator.startsWith(':') && HEADER.test(name.text)) {
    return isPlausible(text, value, kind, 'free', '=') && !isOrdinary(text.slice(value.start, value.end))
      ? value
      : null;
  }
  // What a string names is often the text of a form.
  return isPlausible(text, value, kind, form, sign === '=' && namesString && form !== 'free' ? ':' : sign)
    ? value
    : null;
}

/** Headers of their own that programs send each other. */
const HEADER = /^x-/i;

/** Named like a constant or a variable of the environment. */
function isConstant(name: Name): boolean {
  return !/[a-z]/.test(name.text);
}
