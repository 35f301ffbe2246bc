import { MemoryError } from './errors.js';
import type { Redact, Redacted } from './ports.js';

interface Texts {
  readonly task: string;
  readonly answer: string;
  readonly tags: readonly string[];
}

/** Rule of what its writer marked as private. */
const PRIVATE = 'private';

/**
 * The same with every secret masked, and a sentence for each text that says what was masked in it.
 * Throws a `MemoryError` (reason `invalid`) where nothing is left of the task.
 */
export function maskSecrets<T extends Texts>(
  redact: Redact,
  texts: T,
): { readonly masked: T; readonly warnings: readonly string[] } {
  const task = redact(texts.task);
  const answer = redact(texts.answer);
  const tags = texts.tags.map(redact);
  requireSomething(task);
  const tag = { findings: tags.flatMap(({ findings }) => findings) };
  return {
    masked: { ...texts, task: task.text, answer: answer.text, tags: tags.map(({ text }) => text) },
    warnings: [warning('task', task), warning('answer', answer), warning('tags', tag)].flat(),
  };
}

/** A question as it would be stored. Throws a `MemoryError` (reason `invalid`) where nothing is left of it. */
export function maskedTask(redact: Redact, task: string): string {
  const masked = redact(task);
  requireSomething(masked);
  return masked.text;
}

function requireSomething(task: Redacted): void {
  if (!isOnlyPrivate(task)) return;
  throw new MemoryError(
    'invalid',
    'task: all of it is marked as private, so nothing is left of it. Leave the part that may be known outside of <private>.',
  );
}

/** Whether only the marks of private spans are left of a text. */
export function isOnlyPrivate({ text, findings }: Redacted): boolean {
  if (!findings.some(({ rule }) => rule === PRIVATE)) return false;
  return text.replaceAll(`[REDACTED:${PRIVATE}]`, '').trim() === '';
}

function warning(name: string, { findings }: Pick<Redacted, 'findings'>): string[] {
  if (findings.length === 0) return [];
  const rules = [...new Set(findings.map(({ rule }) => rule))].join(', ');
  const what =
    findings.length === 1
      ? 'a secret or private part was'
      : `${findings.length} secrets or private parts were`;
  return [`${name}: ${what} masked (${rules}); the rest is stored.`];
}
