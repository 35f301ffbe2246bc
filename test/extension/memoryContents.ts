import { fromDocument, type MemoryContent } from '../../src/extension/documents/memoryDocument.js';

export const BEFORE: MemoryContent = {
  task: 'Release a version',
  answer: 'Run the script.\nThen push the tag.',
  tags: ['npm', 'ci'],
  expiresAt: null,
  scope: 'project',
};

/** A memory like {@link BEFORE} with some of it different. */
export function memory(change: Partial<MemoryContent> = {}): MemoryContent {
  return { ...BEFORE, ...change };
}

/** The document of a memory with its front matter replaced. */
export function withFront(front: string, answer = BEFORE.answer): string {
  return `---\n${front}\n---\n\n${answer}`;
}

/** What the front matter says of a memory whose answer is as it was. */
export function read(front: string, before = BEFORE): MemoryContent {
  return fromDocument(withFront(front, before.answer), before);
}
