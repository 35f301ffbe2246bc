import { isMap, isScalar, isSeq, Lexer, parseDocument, Parser, stringify } from 'yaml';

/** What a person can edit of a memory. */
export interface MemoryContent {
  readonly task: string;
  readonly answer: string;
  readonly tags: readonly string[];
  /** Epoch seconds; null: never. */
  readonly expiresAt: number | null;
  readonly scope: 'project' | 'global';
}

/** A document that is none, in words that say what to do. */
export class DocumentFault extends Error {}

const FENCE = '---';
const KEYS = ['task', 'tags', 'expires', 'scope'] as const;
/** In characters: the longest task and tags there can be, each character escaped, are shorter. */
const LONGEST_FRONT = 320 * 1024;
/** In signs, words and blanks between them; the most tags there can be are not half of it. */
const MOST_TOKENS = 3000;
/** In values within values. */
const DEEPEST = 20;
/** White space before the text, or blanks before the end of a line. */
const EDGE_BLANK = /^\s|[^\S\n](?:\n|$)/;
const LINE_ENDS = /\r\n?/g;
/** A day, or a time of one, as ISO 8601 writes it; other words are dates by accident alone. */
const ISO_TIME =
  /^(?<day>\d{4}-\d\d-\d\d|[+-]\d{6}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

/**
 * A memory as a Markdown document: YAML front matter, an empty line, then the answer to the last character.
 * @param hints lines for people, shown as comments of the front matter
 */
export function toDocument(content: MemoryContent, hints: readonly string[] = []): string {
  const { task, answer, tags, expiresAt, scope } = content;
  const front = stringify(
    { task, tags: [...tags], expires: expiryText(expiresAt), scope },
    {
      lineWidth: 0,
      collectionStyle: 'any',
      // A block of lines says nothing certain of blanks at its edges, and editors remove them.
      blockQuote: ![task, ...tags].some((text) => EDGE_BLANK.test(text)),
      doubleQuotedMinMultiLineLength: Infinity,
    },
  );
  const comments = hints.map((hint) => `# ${hint}\n`).join('');
  return `${FENCE}\n${comments}${front}${FENCE}\n\n${answer}`;
}

/**
 * What a document says. Keys that are left out keep their value in `before`; so do line ends and a missing line end
 * at the very end of the answer, which editors change by themselves. Throws a {@link DocumentFault}.
 */
export function fromDocument(text: string, before: MemoryContent): MemoryContent {
  const { front, body } = split(text.replace(LINE_ENDS, '\n'));
  const values = valuesOf(front);
  return {
    task: taskOf(values.get('task'), before.task),
    tags: tagsOf(values.get('tags'), before.tags),
    expiresAt: expiryOf(values.get('expires'), before.expiresAt),
    scope: scopeOf(values.get('scope'), before.scope),
    answer: sameText(body, before.answer) ? before.answer : body,
  };
}

function split(text: string): { front: string; body: string } {
  const found = /^\uFEFF?---[ \t]*\n((?:[^]*?\n)??)---[ \t]*(?:\n|$)([^]*)$/.exec(text);
  if (!found) {
    throw new DocumentFault(
      'The document has to begin with its front matter, between two lines "---". Nothing was saved; undo until it is there again.',
    );
  }
  // The empty line below the front matter belongs to neither.
  return { front: found[1] ?? '', body: (found[2] ?? '').replace(/^\n/, '') };
}

/** What stands behind a key: a text, or a list of them; null for what is neither. */
type Value = string | readonly Value[] | null;

/** Every value is the text that stands there: a tag 1.10 is no number, and a task "no" is no answer to a question. */
function valuesOf(front: string): ReadonlyMap<string, Value> {
  if (front.length > LONGEST_FRONT) {
    throw new DocumentFault('The front matter is too long for a task and tags. Nothing was saved.');
  }
  const { errors, contents } = parsed(front);
  const [fault] = errors;
  if (fault) {
    throw new DocumentFault(`The front matter is no YAML: ${firstLine(fault.message)}. Nothing was saved.`);
  }
  if (contents === null) return new Map();
  if (!isMap(contents)) {
    throw new DocumentFault(
      'The front matter holds no keys. Nothing was saved; write lines such as "task: ...".',
    );
  }
  const values = new Map<string, Value>();
  for (const { key, value } of contents.items) {
    const name = isScalar(key) ? String(key.value) : String(key);
    if (!KEYS.some((known) => known === name)) {
      throw new DocumentFault(
        `"${firstLine(name)}" in the front matter is unknown. Nothing was saved; keys are ${KEYS.join(', ')}.`,
      );
    }
    if (values.has(name)) {
      throw new DocumentFault(`"${name}" is in the front matter twice. Nothing was saved.`);
    }
    values.set(name, valueOf(value));
  }
  return values;
}

function parsed(front: string) {
  requireSmall(front);
  // The fence is the first line: faults name lines as the editor does. Keys are compared above, since the parser
  // compares each with each.
  return parseDocument(`\n${front}`, { schema: 'failsafe', resolveKnownTags: false, uniqueKeys: false });
}

/** Keeps from the parser what it takes minutes over, and what is nested so deep that it ends the program. */
function requireSmall(front: string): void {
  const parser = new Parser();
  let tokens = 0;
  for (const token of new Lexer().lex(front)) {
    // It goes on as it is asked for what it found, which is not wanted here.
    Array.from(parser.next(token));
    tokens += 1;
    if (tokens > MOST_TOKENS || parser.stack.length > DEEPEST) {
      throw new DocumentFault('The front matter holds more than a task and tags. Nothing was saved.');
    }
  }
}

/** Aliases are not followed: they lead to very much, and nobody needs them here. */
function valueOf(node: unknown): Value {
  if (node === null) return '';
  if (isScalar(node)) return typeof node.value === 'string' ? node.value : '';
  return isSeq(node) ? node.items.map(valueOf) : null;
}

function taskOf(value: Value | undefined, before: string): string {
  if (value === undefined) return before;
  if (typeof value !== 'string' || value.trim() === '') {
    throw new DocumentFault('"task" has to be a text that is not empty. Nothing was saved.');
  }
  return sameText(value, before) ? before : value;
}

function tagsOf(value: Value | undefined, before: readonly string[]): readonly string[] {
  if (value === undefined) return before;
  const list = isNothing(value) ? [] : typeof value === 'object' ? (value ?? [null]) : [value];
  const tags = list.map((tag) => {
    if (typeof tag === 'string') return tag;
    throw new DocumentFault('"tags" has to be a list of words, such as [npm, ci]. Nothing was saved.');
  });
  if (tags.length === before.length && tags.every((tag, index) => sameText(tag, before[index] ?? ''))) {
    return before;
  }
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

function expiryOf(value: Value | undefined, before: number | null): number | null {
  // What was shown, perhaps without its fraction of a second, was not changed.
  if (value === undefined || value === expiryText(before)) return before;
  if (value === 'never' || isNothing(value)) return null;
  const time = typeof value === 'string' ? timeOf(value) : NaN;
  if (Number.isNaN(time)) {
    throw new DocumentFault('"expires" has to be "never" or a date such as 2030-12-31. Nothing was saved.');
  }
  return before !== null && expiryText(before) === expiryText(time / 1000) ? before : time / 1000;
}

function scopeOf(value: Value | undefined, before: MemoryContent['scope']): MemoryContent['scope'] {
  if (value === undefined) return before;
  if (value === 'project' || value === 'global') return value;
  throw new DocumentFault('"scope" has to be project or global. Nothing was saved.');
}

/** A time no calendar holds is as good as never. */
function expiryText(seconds: number | null): string {
  const time = new Date(seconds === null ? NaN : Math.floor(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? 'never' : time.toISOString().replace('.000Z', 'Z');
}

/** Milliseconds; NaN where it is none, as the 30th of February, which would be parsed as a day of March. */
function timeOf(text: string): number {
  const day = ISO_TIME.exec(text)?.groups?.['day'];
  const start = day === undefined ? NaN : Date.parse(day);
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(String(day));
  return isDay ? Date.parse(text) : NaN;
}

/** As YAML writes that there is no value. */
function isNothing(value: Value): boolean {
  return value === '' || value === 'null' || value === '~';
}

function sameText(text: string, before: string): boolean {
  const plain = before.replace(LINE_ENDS, '\n');
  const read = text.replace(LINE_ENDS, '\n');
  return read === plain || read === `${plain}\n`;
}

/** For a sentence: the first line, and not all of it where it is long. */
function firstLine(text: string): string {
  return text
    .split('\n', 1)
    .join('')
    .slice(0, 100)
    .replace(/:?\s*$/, '');
}
