import { DocumentFault } from './documentFault.js';
import type { Value } from './frontMatter.js';

export type Scope = 'project' | 'global';

const LINE_ENDS = /\r\n?/g;
/** A day, or a time of one, as ISO 8601 writes it; other words are dates by accident alone. */
const ISO_TIME =
  /^(?<day>\d{4}-\d\d-\d\d|[+-]\d{6}-\d\d-\d\d)(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?$/;

// What is left out (undefined) is as it was before. All of them throw a `DocumentFault`.

export function taskOf(value: Value | undefined, before: string): string {
  if (value === undefined) return before;
  if (typeof value !== 'string' || value.trim() === '') throw new DocumentFault('task');
  return sameText(value, before) ? before : value;
}

export function tagsOf(value: Value | undefined, before: readonly string[]): readonly string[] {
  if (value === undefined) return before;
  const list = isNothing(value) ? [] : typeof value === 'object' ? (value ?? [null]) : [value];
  const tags = list.map((tag) => {
    if (typeof tag === 'string') return tag;
    throw new DocumentFault('tags');
  });
  if (tags.length === before.length && tags.every((tag, index) => sameText(tag, before[index] ?? ''))) {
    return before;
  }
  return [...new Set(tags.map((tag) => tag.trim()))].filter((tag) => tag !== '');
}

/** Epoch seconds; null: never. */
export function expiryOf(value: Value | undefined, before: number | null): number | null {
  // What was shown, perhaps without its fraction of a second, was not changed.
  if (value === undefined || value === expiryText(before)) return before;
  if (value === 'never' || isNothing(value)) return null;
  const time = typeof value === 'string' ? timeOf(value) : NaN;
  if (Number.isNaN(time)) throw new DocumentFault('expires');
  return before !== null && expiryText(before) === expiryText(time / 1000) ? before : time / 1000;
}

export function scopeOf(value: Value | undefined, before: Scope): Scope {
  if (value === undefined) return before;
  if (value === 'project' || value === 'global') return value;
  throw new DocumentFault('scope');
}

export function answerOf(text: string, before: string): string {
  return sameText(text, before) ? before : text;
}

/** A time no calendar holds is as good as never. */
export function expiryText(seconds: number | null): string {
  const time = new Date(seconds === null ? NaN : Math.floor(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? 'never' : time.toISOString().replace('.000Z', 'Z');
}

export function plainLineEnds(text: string): string {
  return text.replace(LINE_ENDS, '\n');
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

/** Editors change line ends and add a last one by themselves. */
function sameText(text: string, before: string): boolean {
  const plain = plainLineEnds(before);
  const read = plainLineEnds(text);
  return read === plain || read === `${plain}\n`;
}
