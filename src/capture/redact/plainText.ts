/** Blanks of other widths, full-width forms, and the colours of a terminal, as they are or escaped. */
// eslint-disable-next-line no-control-regex -- the escape character is what is looked for
const UNUSUAL = /[\u00a0\u3000\uff01-\uff5e]|(?:\x1b|\\(?:u001[bB]|x1[bB]|033|e))\[[\d;]{0,20}[A-Za-z]/g;

/** How far full-width forms stand behind the characters they are forms of. */
const WIDTH = 0xfee0;

/** The text as rules read it: of the same length, in plain characters, with blanks in place of colours. */
export function plainText(text: string): string {
  return text.replace(UNUSUAL, (found) => {
    const unit = found.charCodeAt(0);
    return unit > WIDTH ? String.fromCharCode(unit - WIDTH) : ' '.repeat(found.length);
  });
}
