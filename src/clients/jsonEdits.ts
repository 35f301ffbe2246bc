import type { Node } from 'jsonc-parser';

/** How a text breaks and indents its lines. */
export interface Layout {
  readonly eol: string;
  /** One step of indentation. */
  readonly unit: string;
}

/**
 * The layout of a JSON text with `root` as its outermost value: the first line break, and the indentation of the
 * first property. Two spaces and `\n` where the text does not show any.
 */
export function layoutOf(text: string, root: Node | undefined): Layout {
  const first = root?.children?.[0];
  const shown = first !== undefined && startsLine(text, first.offset) ? indentOf(text, first.offset) : '';
  return { eol: /\r\n|\n|\r/.exec(text)?.[0] ?? '\n', unit: shown === '' ? '  ' : shown };
}

/**
 * The text with one more child at the end of `container`: a property called `key`, or an item of a list where
 * `key` is null. Not a character that was there before is changed; a comment stays with the line it stands on.
 * Written by hand because the parser's own `modify` lays out lines anew that it only touches, and breaks a list
 * written on one line when its last item is removed.
 */
export function append(
  text: string,
  container: Node,
  key: string | null,
  value: unknown,
  layout: Layout,
): string {
  const name = key === null ? '' : `${JSON.stringify(key)}: `;
  const last = container.children?.at(-1);
  if (last === undefined) {
    const outer = indentOf(text, container.offset);
    const inside = text.slice(container.offset + 1, endOf(container) - 1);
    const comments = inside.trimEnd();
    const rest = inside.slice(comments.length);
    const closing = comments !== '' && /[\r\n]/.test(rest) ? rest : layout.eol + outer;
    const inner = outer + layout.unit;
    const child = layout.eol + inner + name + render(value, inner, layout) + closing;
    return cut(text, container.offset + 1 + comments.length, endOf(container) - 1, child);
  }
  const indent = indentOf(text, last.offset);
  if (!startsLine(text, last.offset)) {
    const written = spansLines(text, last) ? render(value, indent, layout) : JSON.stringify(value);
    return cut(text, endOf(last), endOf(last), `, ${name}${written}`);
  }
  const child = layout.eol + indent + name + render(value, indent, layout);
  const comma = commaBetween(text, endOf(last), endOf(container) - 1);
  const at = afterComments(text, comma === null ? endOf(last) : comma + 1);
  // A trailing comma is this file's style: the new last child gets one too.
  if (comma !== null) return cut(text, at, at, `${child},`);
  return cut(cut(text, at, at, child), endOf(last), endOf(last), ',');
}

/** The text with `value` in the place of `node`, on one line where that was on one. */
export function replace(text: string, node: Node, value: unknown, layout: Layout): string {
  const indent = indentOf(text, node.offset);
  const written = spansLines(text, node) ? render(value, indent, layout) : JSON.stringify(value);
  return cut(text, node.offset, endOf(node), written);
}

/** The text without a child of `container` and its comma. Comments stay. */
export function remove(text: string, container: Node, child: Node): string {
  const siblings = container.children ?? [];
  const at = siblings.indexOf(child);
  const [previous, next] = [siblings[at - 1], siblings[at + 1]];
  const [start, end] = [child.offset, endOf(child)];
  const limit = next?.offset ?? endOf(container) - 1;
  const after = commaBetween(text, end, limit);
  const behind =
    after === null ? text.slice(end, limit) : text.slice(end, after) + text.slice(after + 1, limit);
  if (siblings.length === 1 && isBlank(text, container.offset + 1, start) && behind.trim() === '') {
    return cut(text, container.offset + 1, limit);
  }
  // From the back to the front, so that offsets stay right.
  if (after !== null) {
    return isBlank(text, end, after)
      ? withoutPiece(text, start, after + 1)
      : withoutPiece(cut(text, after, after + 1), start, end);
  }
  const before = previous === undefined ? null : commaBetween(text, endOf(previous), start);
  if (before === null) return withoutPiece(text, start, end);
  return isBlank(text, before + 1, start)
    ? cut(text, before, end)
    : cut(withoutPiece(text, start, end), before, before + 1);
}

function endOf(node: Node): number {
  return node.offset + node.length;
}

/** Takes the line break with it where nothing else is on these lines, else the space behind. */
function withoutPiece(text: string, start: number, end: number): string {
  const indent = indentOf(text, start).length;
  const behind = /[ \t]*/y;
  behind.lastIndex = end;
  const rest = end + (behind.exec(text)?.[0].length ?? 0);
  const endsLine = rest === text.length || /[\r\n]/.test(text[rest] ?? '');
  if (!startsLine(text, start) || !endsLine) return cut(text, start, startsLine(text, start) ? end : rest);
  const lineBreak = /\r?\n$|\r$/.exec(text.slice(0, start - indent))?.[0] ?? '';
  return cut(text, start - indent - lineBreak.length, rest);
}

/** Where the comma between two places is that hold nothing but white space, comments and commas. */
function commaBetween(text: string, from: number, to: number): number | null {
  const piece = /\/\/[^\r\n]*|\/\*[^]*?\*\/|,/g;
  piece.lastIndex = from;
  for (let found = piece.exec(text); found !== null && found.index < to; found = piece.exec(text)) {
    if (found[0] === ',') return found.index;
  }
  return null;
}

/** The end of the comments that follow on the same line. */
function afterComments(text: string, at: number): number {
  const comments = /(?:[ \t]*\/\*[^\r\n]*?\*\/)*(?:[ \t]*\/\/[^\r\n]*)?/y;
  comments.lastIndex = at;
  return at + (comments.exec(text)?.[0].length ?? 0);
}

function lineStart(text: string, at: number): number {
  return Math.max(text.lastIndexOf('\n', at - 1), text.lastIndexOf('\r', at - 1)) + 1;
}

function indentOf(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(at === 0 ? 0 : lineStart(text, at), at))?.[0] ?? '';
}

/** Whether only white space is before it on its line, and a line before that. */
function startsLine(text: string, at: number): boolean {
  const start = at === 0 ? 0 : lineStart(text, at);
  return start > 0 && isBlank(text, start, at);
}

function spansLines(text: string, node: Node): boolean {
  return /[\r\n]/.test(text.slice(node.offset, endOf(node)));
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === '';
}

function render(value: unknown, indent: string, { eol, unit }: Layout): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent);
}

function cut(text: string, from: number, to: number, instead = ''): string {
  return text.slice(0, from) + instead + text.slice(to);
}
