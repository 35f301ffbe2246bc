import { hasLetters } from './letters.js';
import { isJumbled } from './jumbled.js';
import type { SecretKind } from './names.js';
import { isFiller } from './placeholders.js';
import type { Value } from './readValue.js';
import { MASKS } from './spans.js';
import { isCode, isExpression, isNoSecret, isOrdinary, isRandom, isTechnical, VALUE_LOOK } from './values.js';

/**
 * How a value is given:
 * - `free`: where nothing but a value can stand: after `DB_PASSWORD=`, in the query of an address;
 * - `quoted`: as a literal;
 * - `line`: bare, and alone on its line with its name;
 * - `inline`: bare, in the middle of something.
 */
export type Form = 'free' | 'quoted' | 'line' | 'inline';

/** Words that sentences have and passphrases seldom. */
const SENTENCE =
  /(?:^|\s)(?:the|your|you|a|an|is|are|must|should|be|been|please|enter|and|or|not|for|to|of|in|with|at|least|required|invalid|passwords?|tokens?|cannot|can|was|has|too|no|this|that|it|on|if|do|does|forgot|de|der|die|das|nicht|ist|muss|ne|pas|doit|el|los|debe|deve|não)(?=[\s.,!?:]|$)/i;

/** Words of those that ask for a secret or say what is wrong with it. */
const ASKING =
  /(?:^|\s)(?:your|you|is|are|must|should|please|enter|type|choose|at least|required|invalid|wrong|incorrect|missing|passwords?|passphrase|tokens?|secret|cannot|was|forgot|nicht|ist|muss|doit|debe|deve|não)(?=[\s.,!?:]|$)/i;

/** What YAML has in place of a value, or before one. */
const YAML_NODE = /^(?:[&*][A-Za-z][\w-]*|!{1,2}[a-z]+|[|>][-+\d]{0,2})$/;

/** With digits for letters: `Passw0rd`. */
const LEET = /^[A-Za-z]*[A-Za-z]\d+[a-z]+!*$/;

/** A name in a program for what it is the name of: `challengePassword`. */
const NAMED_LIKE_IT = /pass|pwd|secret|token|key|auth/i;

/** What follows on a string that ends with a name: `prompt("Password: ")`. */
const BEHIND_STRING = /^(?:\s|[)\]}][\s.;,:)\]}]|[,;+\]})]+(?:\s|$))/;

/** Whether a value that stands by the name of a secret is one. `sign` is what stands between them. */
export function isPlausible(text: string, value: Value, kind: SecretKind, form: Form, sign: string): boolean {
  const given = text.slice(value.start, Math.min(value.end, value.start + VALUE_LOOK));
  const look = value.quoted ? given : given.replaceAll('\\ ', '');
  if (BEHIND_STRING.test(look) || isBlank(look)) return false;
  if (sign === ':' && !value.quoted && YAML_NODE.test(look)) return false;
  if (isNoSecret(look) && !isNoVariable(text, value, look)) return false;
  if (look.length < 6 && !hasLetters(look)) return false;
  // In capitals they are the fingerprints of public keys.
  if (kind === 'key') return isRandom(look) && !/^[0-9A-F]+$/.test(look);
  // To a shell everything is text.
  const shell = form === 'free' && sign === '=';
  if (/\s/.test(look)) return value.quoted && isPhrase(look, kind, sign, shell);
  if (/^-?[\d.,_]+$/.test(look)) return isNumber(look, kind, value.quoted || form !== 'inline');
  if (value.quoted) {
    if (NAMED_LIKE_IT.test(look) && isCode(look) && !(kind === 'password' && LEET.test(look))) return false;
  } else if (shell ? isExpression(look) : isProgram(look, kind, form)) return false;
  if (kind === 'login') return look.length >= 6 && !isOrdinary(look) && !isTechnical(look);
  // In programs such names are keys of records, too.
  if (form === 'free')
    return (
      look.length > 2 && (value.quoted || sign !== ':' || kind === 'password' || !/^[a-z]{3,5}$/.test(look))
    );
  // As people choose them; a single capitalised word is what a form says.
  if (kind === 'password' && form !== 'inline')
    return !(sign === ':' && /^[A-Z\u00c0-\u00de][a-z\u00df-\uffff]+$/.test(look));
  if (isOrdinary(look)) return /^[a-z]{20,}$/.test(look);
  if (isTechnical(look)) return false;
  if (kind !== 'password' && value.quoted && !/\d/.test(look))
    return look.length >= 8 && (isJumbled(look) || (look.length >= 16 && !isCode(look)));
  return look.length >= (kind === 'password' ? 4 : 6);
}

function isBlank(look: string): boolean {
  return (look.includes('[REDACTED:') ? look.replace(MASKS, '') : look).trim() === '';
}

/** In single quotes a shell fills in nothing, and no variable is named like this. */
function isNoVariable(text: string, { start, quoted }: Value, look: string): boolean {
  return (
    quoted &&
    text[start - 1] === "'" &&
    /^\$[A-Za-z]{1,20}\d+(?:[a-z]{1,20}\d*|\d)[!?#%&*]*$/.test(look) &&
    /[a-z]/.test(look)
  );
}

/** `modnames2paths`, and the repetitions of a grammar (RFC 5234, 3.6): `1*tchar`. */
const PROGRAM = /^(?:[a-z]{3,30}2[a-z]{3,30}|\d?\*\d?[A-Za-z(].*)$/;

/** Numbers by the names of tokens count them. */
function isNumber(value: string, kind: SecretKind, given: boolean): boolean {
  if (kind === 'password') return /^\d{4,}$/.test(value);
  return given && (kind === 'token' || kind === 'secret') && /^\d{6,}$/.test(value);
}

/** A bare value that is a name in a program, or with which the rest of a program on one line begins. */
function isProgram(value: string, kind: SecretKind, form: Form): boolean {
  // People put a number into a word.
  if (isCode(value)) return kind !== 'password' || !/^[A-Za-z]+\d+[A-Za-z]+!*$/.test(value);
  if (kind !== 'password' && (PROGRAM.test(value) || isFiller(value.replace(/\d{1,2}$/, '')))) return true;
  const first = form === 'inline' ? (/^[^;,)}\]]*/.exec(value)?.[0] ?? '') : value;
  return (
    first !== value && (first.length < 4 || isNoSecret(first) || /^[\d.]+$/.test(first) || isCode(first))
  );
}

/** More than one word. */
function isPhrase(value: string, kind: SecretKind, sign: string, shell: boolean): boolean {
  if (kind === 'password') return shell || !(sign === '=' ? ASKING : SENTENCE).test(value);
  return kind === 'secret' && !SENTENCE.test(value) && !/[A-Z]/.test(value);
}

/** Whether it looks like a password by itself: not a word, nor what is written like one in other ways. */
export function isPassword(value: string): boolean {
  return (
    !isNoSecret(value) &&
    !isOrdinary(value) &&
    !isTechnical(value) &&
    !isExpression(value) &&
    /[\d!-/:-@[-`{-~]./.test(value)
  );
}
