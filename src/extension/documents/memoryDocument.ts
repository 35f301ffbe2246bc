import { stringify } from 'yaml';
import { DocumentFault } from './documentFault.js';
import { valuesOf } from './frontMatter.js';
import {
  answerOf,
  expiryOf,
  expiryText,
  plainLineEnds,
  scopeOf,
  tagsOf,
  taskOf,
  type Scope,
} from './memoryFields.js';

/** What a person can edit of a memory. */
export interface MemoryContent {
  readonly task: string;
  readonly answer: string;
  readonly tags: readonly string[];
  /** Epoch seconds; null: never. */
  readonly expiresAt: number | null;
  readonly scope: Scope;
}

const FENCE = '---';
/** White space before the text, or blanks before the end of a line. */
const EDGE_BLANK = /^\s|[^\S\n](?:\n|$)/;

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
 * What the document of a memory says. Keys that are left out keep their value in `before`; so do line ends and a missing
 * line end at the very end of the answer, which editors change by themselves. Throws a {@link DocumentFault}, also where
 * an answer was emptied: an empty one helps nobody who finds it.
 */
export function fromDocument(text: string, before: MemoryContent): MemoryContent {
  const content = contentOf(text, before);
  if (content.answer !== before.answer && isBlank(content)) throw new DocumentFault('no-answer');
  return content;
}

/** As {@link fromDocument}, of what is no memory yet: it needs an answer, whatever it began with. */
export function fromDraft(text: string, before: MemoryContent): MemoryContent {
  const content = contentOf(text, before);
  if (isBlank(content)) throw new DocumentFault('no-answer-in-draft');
  return content;
}

function contentOf(text: string, before: MemoryContent): MemoryContent {
  const { front, body } = split(plainLineEnds(text));
  const values = valuesOf(front);
  return {
    task: taskOf(values.get('task'), before.task),
    tags: tagsOf(values.get('tags'), before.tags),
    expiresAt: expiryOf(values.get('expires'), before.expiresAt),
    scope: scopeOf(values.get('scope'), before.scope),
    answer: answerOf(body, before.answer),
  };
}

function isBlank({ answer }: MemoryContent): boolean {
  return answer.trim() === '';
}

function split(text: string): { front: string; body: string } {
  const found = /^\uFEFF?---[ \t]*\n((?:[^]*?\n)??)---[ \t]*(?:\n|$)([^]*)$/.exec(text);
  if (!found) throw new DocumentFault('no-front-matter');
  // The empty line below the front matter belongs to neither.
  return { front: found[1] ?? '', body: (found[2] ?? '').replace(/^\n/, '') };
}
