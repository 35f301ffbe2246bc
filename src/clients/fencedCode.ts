/** The line a fence begins with: its signs, and what is said of the code. */
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/**
 * A Markdown text with as many blanks in the place of every line of fenced code (https://spec.commonmark.org/0.31.2/#fenced-code-blocks),
 * so that places in it are places in the text. A fence that never ends is none here.
 */
export function withoutFences(text: string): string {
  const lines = text.split('\n');
  let begun: { readonly at: number; readonly signs: string } | null = null;
  for (const [at, line] of lines.entries()) {
    const [, signs, info = ''] = FENCE.exec(line.replace(/\r$/, '')) ?? [];
    if (signs === undefined) continue;
    if (begun === null) {
      // With others behind them three backticks are a span of code.
      if (signs.startsWith('~') || !info.includes('`')) begun = { at, signs };
    } else if (signs.startsWith(begun.signs) && info.trim() === '') {
      for (let inside = begun.at; inside <= at; inside += 1)
        lines[inside] = (lines[inside] ?? '').replace(/[^\r]/g, ' ');
      begun = null;
    }
  }
  return lines.join('\n');
}
