import type { Rule } from './rule.js';
import { isGiven, isOrdinary, isTechnical } from './values.js';

/** Passwords in statements of SQL. */
export const statements: readonly Rule[] = [
  {
    id: 'sql_password',
    anchors: ['password ', 'identified '],
    pattern:
      /(?:password[ \t]{1,4}|identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,60}[ \t]{1,4})?(?:by|as)[ \t]{1,4}(?:password[ \t]{1,4})?)'([^'\n]+)/iy,
    check: isGiven,
  },
  {
    id: 'sql_password',
    anchors: ['password ', 'identified '],
    line: /\b(?:user|role|login|grant)\b/i,
    pattern:
      /(?:(?<=with )password[ \t]{1,4}|identified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,60}[ \t]{1,4})?by[ \t]{1,4})"([^"\n]+)/iy,
    check: isGiven,
  },
  {
    // Oracle takes it without quotes.
    id: 'sql_password',
    anchors: ['identified '],
    line: /\b(?:create|alter)[ \t]{1,4}user\b|\bgrant\b/i,
    pattern: /identified[ \t]{1,4}by[ \t]{1,4}([^\s"'`;?:$&<>(),]{4,})/iy,
    check: (secret) => isGiven(secret) && !isOrdinary(secret) && !isTechnical(secret),
  },
];

const given = (secret: string): boolean => isGiven(secret) && !/^-?\d{1,3}$/.test(secret);

/** What is written to a program that asks for a password. */
export const pipes: readonly Rule[] = [
  {
    id: 'piped_password',
    anchors: ['echo ', 'printf '],
    pattern:
      /(?<![\w-])(?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:["']?%s(?:\\{1,2}n)?["']?[ \t]{1,4})?(?:"([^"\n]+)|'([^'\n]+)|([^\s"'|;&<>]+))(?=["']?[ \t]{0,4}\|[ \t]{0,4}(?:sudo[ \t]{1,4}(?:-{1,2}[A-Za-z-]{1,20}[ \t]{1,4}){0,4}(?:-[A-Za-z]{0,8}S|--stdin)(?![\w-])|[^|;&\n]{0,120}(?:--pass(?:word)?-stdin|--with-token)(?![\w-])|(?:sudo[ \t]{1,4})?(?:chpasswd|passwd[ \t]{1,4}--stdin)(?![\w-])))/y,
    check: given,
  },
  {
    id: 'piped_password',
    anchors: ['<<<'],
    line: /\bsudo[ \t]{1,4}(?:-[A-Za-z]{1,8}[ \t]{1,4}){0,4}-[A-Za-z]{0,8}S\b[^|;]{0,120}$|--password-stdin\b[^|;]{0,120}$/,
    pattern: /<<<[ \t]{0,4}(?:"([^"\n]+)|'([^'\n]+)|([^\s"'|;&]+))/y,
    check: given,
  },
  {
    id: 'piped_password',
    anchors: ['<(echo', '<(printf'],
    line: /-(?:\w{0,20}-)?(?:pass|pwd|secret|token|key|cred)[\w-]{0,30}(?:[ \t]{1,4}|=)$/i,
    pattern:
      /<\((?:echo|printf)[ \t]{1,4}(?:-[neE]{1,3}[ \t]{1,4})?(?:["']?%s(?:\\{1,2}n)?["']?[ \t]{1,4})?(?:"([^"\n]+)|'([^'\n]+)|([^\s"'|;&()]+))(?=["']?[ \t]{0,4}\))/y,
    check: given,
  },
];
