import { hasLetters } from './letters.js';
import { isFiller } from './placeholders.js';

/** Units of a value that are looked at: enough to know what it is, and a bound for what it costs. */
export const VALUE_LOOK = 400;

/** Filled in later: variables, templates, format and bind parameters. */
const VARIABLE =
  /^(?:\$[A-Za-z_{(]|%[A-Za-z_]\w*%$|%\(|%[sdv]$|\{\{|\{[\w.$-]{0,60}\}$|<[^<>]{0,80}>$|#\{|@\{|__\w+__$|[:@?][a-z_]\w*$|@[A-Z]\w*\.|\?$|\[[^\]]{0,60}\]$|\([^)]{0,60}\)$|\(\?|:|&#|&lt;)|%s|\{\d?\}|\$\{|\$\(|\{\{|<%|\[REDACTED\]|\.{3}$/;

/** Where the program gets it from. */
const LOOKUP =
  /^(?:process\.env|import\.meta|os\.environ|ENV\b|env[.(]|System\.getenv|Deno\.env|vars?\.|secrets\.|vault:|ssm:|op:\/\/|arn:|file:|base64:$|(?:await|new|function|async|lambda|typeof|return)\b)|^!(?:Ref|Sub|GetAtt|vault|reference)\b/;

/** Answers to what a password is, instead of one, and words that go on in the sentence. */
const ANSWERS: ReadonlySet<string> = new Set(
  (
    'a accepted admin always an and any are args argument authentication authorization auto basic bearer ' +
    'blank body bool boolean buffer byte can change changed char comma config const cookie correct ctx ' +
    'default denied digest disabled email empty enabled encoded encrypted env eof error expired failed ' +
    'failure false field file final flag for form format from generated given hash hashed header hidden ' +
    'identifier if in in-memory include incorrect inherit int integer internal invalid is json jwt ' +
    'keyword ldap let local login mandatory manual missing must nan never nil no none not null nullable ' +
    'number oauth object of off ok okay omit on only option optional opts or parameter pending plain ' +
    'private prompt props provided public query readonly refresh rejected req required res reset revoked ' +
    'rotate rotated same-origin saml see self sent session set settings should static stdin stored str ' +
    'string success text the this to too true type undefined unknown unset used user username users valid ' +
    'validation var varchar vault verification via void was were when while will with without word wrong ' +
    'yaml yes'
  ).split(' '),
);

/** Names of algorithms and formats that look like passwords: `sha256`, `utf-8`, `oauth2`, `aes-256-gcm`. */
const ALGORITHM =
  /^(?:utf|ucs|sha|md|base|oauth|aes|rsa|hs|rs|es|ps|ed|x|secp|curve|pbkdf|argon|blake|keccak|http|ipv|tls|ssl|v|ec|win|mp|h|python|node|rfc|iso|cp|latin|u?int|float|string)[-_]?\d{1,5}(?:[a-z]{0,4}|gcm|cbc|ctr|array|encoded|based)(?:[-_/.][a-z0-9]{1,12}){0,4}$/i;
/** Sizes, times, versions, dates, ordinals: `32-byte`, `24h`, `1.2.3`, `2026-07-08`, `3rd`. */
const QUANTITY =
  /^[vV]?\d{1,12}(?:[-–/:.]\d{1,12}){0,6}(?:[+%]|-?(?:[A-Za-z]{1,3}|[A-Z]?[a-z]{1,12}|[A-Z]{1,12}))?$/;
/** `1:4.13+dfsg1-1` */
const VERSION = /^(?:\d{1,3}:)?\d{1,6}(?:\.\d{1,6}){1,6}[-+~.\w]{0,60}$/;
const NUMERONYM = /^(?:2fa|k8s|i18n|l10n|a11y|e2e)$/i;

const EMAIL = /^[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{2,63})+$/;
const PATH = /^(?:~|\.{1,2}|[A-Za-z]:)?[\\/][\w .@+\\/-]{0,400}$/;
/** `^1.2.3`, `#f8f8f2`, `0x0B96` */
const NUMBER =
  /^(?:[\^~<>=v ]{0,3}\d+\.\d+\.\d+(?:[-+.][\w.]{1,40})?|#[0-9a-f]{3,8}|0x[0-9a-f]{1,8}|-?infinity)$/i;
const URL = /^[a-z][a-z0-9+.-]{1,20}:\/\//i;

/** With nothing else, most of what follows is ruled out. */
const LETTERS = /^[A-Za-z0-9]+$/;

export function isVariable(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  return VARIABLE.test(look) || LOOKUP.test(look);
}

/** Whether it is masked, filled in elsewhere, or the answer to another question. */
export function isNoSecret(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  if (LETTERS.test(look)) return LOOKUP.test(look) || isFiller(look) || isAnswer(look) || NUMBER.test(look);
  return (
    isVariable(look) ||
    isFiller(look) ||
    isAnswer(look) ||
    EMAIL.test(look) ||
    NUMBER.test(look) ||
    URL.test(look) ||
    isPath(look)
  );
}

/** What stands where nothing but a secret is expected. */
export function isGiven(value: string): boolean {
  return hasLetters(value) && !isNoSecret(value);
}

function isAnswer(value: string): boolean {
  if (value.length > 20) return false;
  const word = value.toLowerCase().replace(/!+$/, '');
  return ANSWERS.has(word) || ANSWERS.has(word.replace(/s$/, ''));
}

export function isPath(value: string): boolean {
  return PATH.test(value) && !isRandom(value);
}

export function isTechnical(value: string): boolean {
  return ALGORITHM.test(value) || QUANTITY.test(value) || VERSION.test(value) || NUMERONYM.test(value);
}

/** Only letters, or small words with separators between them; or all in capitals. */
export function isOrdinary(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  return WORDS.test(look) || CAPITALS.test(look);
}

const WORDS =
  /^[A-Za-z\u00c0-\uffff][a-z\u00df-\uffff]{0,18}(?:[-_.:/' ][A-Z\u00c0-\u00de]?[a-z\u00df-\uffff]{0,18})*!?$/;
const CAPITALS = /^[A-Z]{1,18}(?:[-_.:/' ][A-Z]{1,18})*$/;

/** Such as `userPassword`, `AuthToken2`, `req.headers.token`, `Option<String>`, `load()`: a name in a program. */
export function isCode(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  if (LETTERS.test(look)) return isIdentifier(look) && !isRandom(look);
  if (isExpression(look) || /^(?:[{[(]|\/[\^(\\[])/.test(look)) return true;
  return (
    PREFIXED.test(look) ||
    ((MEMBER.test(look) || SHORT.test(look) || CONSTANT.test(look) || isIdentifier(look)) && !isRandom(look))
  );
}

/** A call, or a member of something; with a digit in it, it may be a password as well. */
export function isExpression(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  return CALL.test(look) || (MEMBER.test(look) && !/\d/.test(look));
}

const CALL = /^[&*!]?[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)*[(<[]/;
const MEMBER = /^!{0,2}[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+[!;]?$/;
/** As names are where a program was made small: `t});let n=…` */
const SHORT = /^[A-Za-z_$][\w$]{0,2}(?:[.,;)}\]]|[=!<]=|&&|\|\||\?\.|\?\?|[+?&|<]\w{1,3}[:,;)(.?])/;
/** `PK11_FindKeyByDERCert` */
const PREFIXED = /^[A-Z]{2,6}\d{0,2}_[A-Z][a-z]{2,}[A-Za-z]{1,40}$/;
const CONSTANT = /^_?[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+[;,]?$/;

/** Words in camel case or with underscores, and a short number at most. */
function isIdentifier(text: string): boolean {
  if (!/^(?:[&*?]?[A-Za-z_$]{2,60}\d{0,2}|[A-Z][A-Za-z]{0,30}\d{1,2}[A-Za-z]{1,30})[!;]?$/.test(text))
    return false;
  if (!/[a-z]/.test(text)) return false;
  if (/^_[a-z]+$/.test(text)) return true;
  const words = text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  const spelled = words.every((word) => word.length < 5 || /[aeiouy]/i.test(word));
  return spelled && words.length > 1 && words.length * 3 <= text.length;
}

/**
 * Whether a program made it: long, of letters and digits in no order. Words and numbers that are put together, as
 * in identifiers and paths, change between small letters, large ones and digits seldom.
 */
export function isRandom(value: string): boolean {
  const look = value.slice(0, VALUE_LOOK);
  if (look.length < 16 || !/\d/.test(look) || !/[A-Za-z]/.test(look)) return false;
  if (/abcdefghij/i.test(look) || PREFIXED.test(look)) return false;
  if (/^[0-9a-f]+$/i.test(look)) return look.length >= 20;
  const mixed = /[a-z]/.test(look) && /[A-Z]/.test(look);
  const changes = look.match(/[a-z](?=[A-Z0-9])|[A-Z](?=[A-Z0-9])|\d(?=[A-Za-z])/g)?.length ?? 0;
  if (mixed) return changes >= look.length * 0.36;
  const steps = look.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return steps >= look.length * 0.18;
}
