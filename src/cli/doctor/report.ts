import { counted } from '../../capture/briefText.js';
import type { Examination } from './examine.js';
import { CHECK_NAMES, type Finding, type Level } from './finding.js';
import type { Terminal } from './terminal.js';

const SIGNS: Readonly<Record<Level, readonly [unicode: string, ascii: string, colour: number]>> = {
  ok: ['✓', '+', 32],
  warning: ['!', '!', 33],
  error: ['✗', 'x', 31],
};
const NAME_WIDTH = Math.max(...CHECK_NAMES.map((name) => name.length));
/** Sign and name, with the spaces behind them. */
const INDENT = NAME_WIDTH + 4;
/** A column of text narrower than this is not read more easily. */
const LEAST_COLUMNS = 60;

/** What was found as JSON, with a newline. */
export function jsonReport({ findings, backup }: Examination, version: string): string {
  const ok = !hasErrors(findings);
  return `${JSON.stringify({ ok, version, findings, ...(backup !== null && { backup }) }, null, 2)}\n`;
}

/** What was found for people: a line for each finding, below it what to do, and the sums at the end. */
export function textReport(
  { findings, mendable, backup }: Examination,
  home: string,
  terminal: Terminal,
): string {
  const short = (text: string) => withTilde(text, home);
  const lines = findings.flatMap(({ message, advice, ...rest }) =>
    linesOf({ ...rest, message: short(message), advice: short(advice) }, terminal),
  );
  const kept = backup === null ? [] : ['', `What was changed is kept as it was in ${short(backup)}.`];
  return `${[...lines, ...kept, '', sums(findings, mendable)].join('\n')}\n`;
}

export function hasErrors(findings: readonly Finding[]): boolean {
  return findings.some(({ level }) => level === 'error');
}

function linesOf({ check, level, message, advice, fixed }: Finding, terminal: Terminal): string[] {
  const { colours, unicode } = terminal;
  const [mark, plain, colour] = SIGNS[level];
  const sign = unicode ? mark : plain;
  const shown = colours ? `\u001b[${colour}m${sign}\u001b[0m` : sign;
  const indent = ' '.repeat(INDENT);
  const arrow = unicode ? '→ ' : '-> ';
  const [first = '', ...more] = broken(fixed ? `Found and mended: ${message}` : message, terminal, 0);
  return [
    `${shown} ${check.padEnd(NAME_WIDTH)}  ${first}`,
    ...more.map((line) => indent + line),
    ...(advice === '' ? [] : broken(advice, terminal, arrow.length)).map(
      (line, at) => indent + (at === 0 ? arrow : ' '.repeat(arrow.length)) + line,
    ),
  ];
}

/** The text in lines that fit beside the signs and names; no word is cut. */
function broken(text: string, { columns }: Terminal, indent: number): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (columns === null || columns < LEAST_COLUMNS) return [words.join(' ')];
  const width = columns - INDENT - indent;
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function sums(findings: readonly Finding[], mendable: number): string {
  const count = (level: Level) => findings.filter((finding) => finding.level === level).length;
  const mended = findings.filter(({ fixed }) => fixed).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const wrong = [
    ...(errors === 0 ? [] : [counted(errors, 'error')]),
    ...(warnings === 0 ? [] : [counted(warnings, 'warning')]),
  ].join(', ');
  const start = mended === 0 ? '' : `Mended ${mended}. `;
  if (wrong === '') return `${start}Everything is in order.`;
  const whatNext = mendable === 0 ? '' : `; run with --fix to mend ${mendable} of them`;
  return `${start}${wrong}${whatNext}.`;
}

/** With `~` for the home folder, but not within quotes, where no shell knows it. */
function withTilde(text: string, home: string): string {
  if (home === '') return text;
  const plain = home.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
  return text.replace(new RegExp(`(?<![^\\s(])${plain}(?=[/\\\\.,:;)\\s]|$)`, 'g'), '~');
}
