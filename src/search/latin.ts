/** Latin letters that stay one letter under canonical decomposition, and what they are typed as without them. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ŋ: 'n',
};
const SPECIAL = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');

/** Lower-case text with its Latin letters reduced to a-z where they have such a form; other scripts as they are. */
export function foldLatin(lower: string): string {
  return lower
    .normalize('NFD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFC')
    .replace(SPECIAL, (letter) => PLAIN[letter] ?? letter);
}

/** Share of the letters that are Latin, from 0 to 1; 1 for a text without letters. */
export function latinShare(text: string): number {
  let letters = 0;
  let latin = 0;
  for (const [letter] of text.matchAll(/\p{L}/gu)) {
    letters += 1;
    if (/\p{Script=Latin}/u.test(letter)) latin += 1;
  }
  return letters === 0 ? 1 : latin / letters;
}
