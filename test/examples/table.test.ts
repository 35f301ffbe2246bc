import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Table {
  widthOf: (text: string) => number;
  fit: (text: string, width: number, align?: 'left' | 'right') => string;
  tableLines: (
    columns: readonly { title: string; width?: number; align?: 'left' | 'right' }[],
    rows: readonly { cells: readonly string[]; paint?: (text: string) => string }[],
    total: number,
  ) => string[];
}

// Plain JavaScript without declarations: its own comments promise this shape.
const { widthOf, fit, tableLines } = (await import(
  new URL('../../examples/table.mjs', import.meta.url).href
)) as Table;

test('wide characters count two columns, marks that are drawn on others none', () => {
  const cases: [string, number][] = [
    ['plain', 5],
    ['漢字', 4],
    ['ｶﾅ', 2],
    ['カナ', 4],
    ['한글', 4],
    ['ＡＢ', 4],
    ['e\u0301', 1],
    ['\u200b', 0],
    ['🚀', 2],
  ];
  for (const [text, width] of cases) assert.equal(widthOf(text), width, JSON.stringify(text));
});

test('a cell is exactly as wide as asked, padded or cut', () => {
  for (const text of [
    '',
    'short',
    'a text that is far too long',
    '漢字ばかりの長い文章です',
    'a漢字ばかりの長い文章です',
  ]) {
    for (const width of [1, 2, 7, 8, 20])
      assert.equal(widthOf(fit(text, width)), width, `${text} in ${width}`);
  }
  assert.equal(fit('漢字漢字', 6), '漢字… ');
  assert.equal(fit('12', 4, 'right'), '  12');
});

test('a cell cannot break out of its line', () => {
  assert.equal(fit('a\r\nb\u001b[2Jc\u2028d\u202ee', 12), 'a b [2Jc d e');
});

test('columns without a width share what is left of the terminal', () => {
  const columns = [
    { title: 'question' },
    { title: 'ms', width: 4, align: 'right' as const },
    { title: 'task' },
  ];
  const [head, rule, row] = tableLines(columns, [{ cells: ['漢字', '1.5', 'x'] }], 60);
  assert.equal(head, `question${' '.repeat(18)}    ms  task`);
  assert.equal(rule, `${'-'.repeat(26)}  ----  ${'-'.repeat(26)}`);
  assert.equal(row, `漢字${' '.repeat(22)}   1.5  x`);
});

test('paint is put around the whole finished line', () => {
  const rows = [{ cells: ['漢'], paint: (text: string) => `<${text}>` }];
  assert.equal(tableLines([{ title: 'a', width: 3 }], rows, 40).at(-1), '<漢>');
});
