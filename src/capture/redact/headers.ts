import { isFiller } from './placeholders.js';
import type { Rule } from './rule.js';
import { isCode, isNoSecret, isOrdinary, isRandom, isTechnical, isVariable } from './values.js';

/** Credentials in the headers of requests and answers, wherever those are written. */
export const headers: readonly Rule[] = [
  {
    // With or without a scheme; as a line, in JSON, as two arguments.
    id: 'authorization_header',
    anchors: ['authorization'],
    pattern:
      /authorization\\{0,3}["'`]?\]?[ \t]{0,4}(?::|=|,)[ \t]{0,4}(?:[rbf$@]?\\{0,3}["'`])?(?:[A-Za-z][A-Za-z0-9-]{1,20}[ \t]{1,4})?([^\s"'`\\<>,;]{6,})/iy,
    check: isCredential,
  },
  {
    id: 'bearer_token',
    anchors: ['bearer'],
    pattern: /(?<![A-Za-z0-9])bearer(?:[ \t]{1,4}|%20|\+)([A-Za-z0-9._~+/=-]{16,})/iy,
    check: isCredential,
  },
  {
    id: 'basic_auth',
    anchors: ['basic'],
    pattern: /(?<![A-Za-z0-9])basic[ \t]{1,4}([A-Za-z0-9+/]{8,}={0,2})/iy,
    check: isUserAndPassword,
  },
  {
    id: 'cookie',
    anchors: ['cookie'],
    pattern:
      /(?<![\w-])cookie\\{0,3}["'`]?[ \t]{0,4}[:=][ \t]{0,4}(?:\\{0,3}["'`])?([\w.%-]{1,64}=[^\s;"'`<>\\]+(?:;[ \t]?[\w.%-]{1,64}=[^\s;"'`<>\\]+){0,4000})/iy,
    check: (pairs) => pairs.split(/;[ \t]?/).some(isSessionPair),
  },
  {
    id: 'set_cookie',
    anchors: ['set-cookie'],
    pattern:
      /set-cookie\\{0,3}["'`]?[ \t]{0,4}[:=,][ \t]{0,4}(?:\\{0,3}["'`])?([\w.%-]{1,64}=[^\s;"'`<>\\]+)/iy,
    check: isSessionPair,
  },
  {
    id: 'session_id',
    anchors: ['PHPSESSID=', 'JSESSIONID=', 'connect.sid=', 'sessionid=', '_session='],
    pattern: /(?:PHPSESSID|JSESSIONID|connect\.sid|sessionid|_session)=([A-Za-z0-9%._+/-]{16,}={0,2})/y,
    check: isRandom,
  },
  {
    // Of signed requests and addresses.
    id: 'request_signature',
    anchors: ['signature='],
    pattern: /Signature=([A-Fa-f0-9]{40,})/y,
    line: /AWS4-HMAC-SHA256|X-(?:Amz|Goog)-/,
  },
  {
    id: 'request_signature',
    anchors: ['signature='],
    pattern: /signature=(?<=[?&]signature=)([A-Za-z0-9%+/=_-]{32,})/y,
    check: isRandom,
  },
  {
    id: 'azure_sas_signature',
    anchors: ['sig='],
    pattern: /sig=(?<=[?&;]sig=)([A-Za-z0-9%+/=_-]{40,})/y,
  },
];

function isCredential(text: string): boolean {
  if (/^[a-z_]+=/.test(text) || isNoSecret(text) || isCode(text) || isTechnical(text)) return false;
  return !isOrdinary(text) || /^[a-z]{20,}$/.test(text);
}

function isSessionPair(pair: string): boolean {
  const value = pair.slice(pair.indexOf('=') + 1);
  if (value.length < 6 || isVariable(value) || isFiller(value) || isTechnical(value) || isOrdinary(value))
    return false;
  return value.length >= 12 || /sess|sid|auth|token|jwt|login|remember/i.test(pair);
}

/** What a basic header holds: the base64 of a name, a colon and a password. */
function isUserAndPassword(text: string): boolean {
  if (text.length % 4 === 1) return false;
  const decoded = Buffer.from(text.slice(0, 400), 'base64').toString('latin1');
  return decoded.includes(':') && /^[\x20-\x7e\x80-\xff]+$/.test(decoded);
}
