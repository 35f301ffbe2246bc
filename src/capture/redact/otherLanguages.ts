import { PASSWORD_WORDS } from './passwordWords.js';
import { isPassword } from './plausible.js';
import type { Rule } from './rule.js';
import { isCode, isExpression, isNoSecret, isOrdinary, isPath, isTechnical } from './values.js';

const OPENING = String.raw`[ \t]{0,4}["'\`„「『“»]?`;
const VALUE = '([!#-&(-_a-~]{6,})';

/** A sign, or the verb; up to 40 units of the sentence may come before it. */
const GAP = String.raw`[^\n:：=\[\]]{0,40}?(?:[:：=]|[ \t](?:lautet|ist|est|es|é|är|is|to)(?=[ \t])|は|是)`;

/** Words that Japanese has for what programs make. */
const KEY_WORDS = [
  'apiキー',
  'アクセスキー',
  'シークレットキー',
  '秘密鍵',
  'トークン',
  'シークレット',
  '暗証番号',
];
/** A sign or the particle, right behind the word. */
const TIGHT = String.raw`[ \t]{0,4}(?:[:=]|は)`;

export const otherLanguages: readonly Rule[] = [
  {
    id: 'mentioned_secret',
    anchors: [
      ...PASSWORD_WORDS.filter((word) => word.length > 2),
      ...Array.from(' :=是是为的', (unit) => [`密码${unit}`, `密碼${unit}`]).flat(),
    ],
    pattern: new RegExp(String.raw`(?:${PASSWORD_WORDS.join('|')})${GAP}${OPENING}${VALUE}`, 'iy'),
    check: isPassword,
  },
  {
    // What follows on the word at once may look less like a password.
    id: 'mentioned_secret',
    anchors: ['パスワード', ...KEY_WORDS],
    pattern: new RegExp(`(?:パスワード|${KEY_WORDS.join('|')})${TIGHT}${OPENING}${VALUE}`, 'iy'),
    check: isGiven,
  },
];

function isGiven(value: string): boolean {
  const isName = isNoSecret(value) || isOrdinary(value) || isTechnical(value) || isPath(value);
  return (
    !isName &&
    !isExpression(value) &&
    /\d/.test(value) &&
    (!isCode(value) || /^[A-Za-z]+\d{1,4}$/.test(value))
  );
}
