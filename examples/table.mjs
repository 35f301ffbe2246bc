// East Asian wide and full-width characters and emoji take two columns of a terminal.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}/u;
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u;
// Anything that could move the cursor, break the line or turn its direction.
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\s\u202a-\u202e\u2066-\u2069]+/gu;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Columns the text takes in a terminal.
 * @param {string} text
 */
export function widthOf(text) {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment);
  return width;
}

/** @param {string} grapheme */
function columnsOf(grapheme) {
  if (INVISIBLE.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/**
 * The text on one line and exactly `width` columns wide: padded, or cut with an ellipsis.
 * @param {string} text
 * @param {number} width
 * @param {'left' | 'right'} [align]
 */
export function fit(text, width, align = 'left') {
  const line = text.replace(UNPRINTABLE, ' ').trim();
  let kept = line;
  if (widthOf(line) > width) {
    kept = '';
    let used = 1;
    for (const { segment } of graphemes.segment(line)) {
      used += columnsOf(segment);
      if (used > width) break;
      kept += segment;
    }
    kept += '…';
  }
  const padding = ' '.repeat(Math.max(0, width - widthOf(kept)));
  return align === 'right' ? padding + kept : kept + padding;
}

/**
 * @typedef {{ title: string, width?: number, align?: 'left' | 'right' }} Column columns without a width
 *   share what the others leave
 */

/**
 * A table's lines: header, rule, rows.
 * @param {readonly Column[]} columns
 * @param {readonly { cells: readonly string[], paint?: (text: string) => string }[]} rows
 * @param {number} total columns of the terminal
 */
export function tableLines(columns, rows, total) {
  const gap = 2;
  const fixed = columns.reduce((sum, { width = 0 }) => sum + width, 0) + gap * (columns.length - 1);
  const sharing = columns.filter(({ width }) => width === undefined).length;
  const share = Math.max(12, Math.floor((total - fixed) / Math.max(1, sharing)));
  const widths = columns.map(({ width }) => width ?? share);
  /** @param {readonly string[]} cells */
  const line = (cells) =>
    cells
      .map((cell, i) => fit(cell, widths[i] ?? share, columns[i]?.align))
      .join(' '.repeat(gap))
      .trimEnd();
  return [
    line(columns.map(({ title }) => title)),
    widths.map((width) => '-'.repeat(width)).join(' '.repeat(gap)),
    ...rows.map(({ cells, paint = (text) => text }) => paint(line(cells))),
  ];
}
