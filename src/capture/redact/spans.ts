import type { Finding } from '../../core/ports.js';

/** A find, and whether its form gave it away. */
export interface Candidate extends Finding {
  readonly specific: boolean;
}

/** What {@link maskOf} makes. */
export const MASKS = /\[REDACTED:[a-z0-9_]{1,40}\]/g;

export function maskOf(rule: string): string {
  return `[REDACTED:${rule}]`;
}

/** Each finding replaced; the findings are in order and do not overlap. */
export function mask(text: string, findings: readonly Finding[]): string {
  let masked = '';
  let done = 0;
  for (const { rule, start, end } of findings) {
    masked += text.slice(done, start) + maskOf(rule);
    done = end;
  }
  return masked + text.slice(done);
}

/** One finding for what overlaps, so that no end of a secret sticks out. */
export function merge(candidates: readonly Candidate[]): Candidate[] {
  const merged: Candidate[] = [];
  for (const next of inOrder(candidates)) {
    const last = merged[merged.length - 1];
    if (last === undefined || next.start >= last.end) {
      merged.push(next);
      continue;
    }
    const end = Math.max(last.end, next.end);
    merged[merged.length - 1] = { ...telling(last, next, end - last.start), start: last.start, end };
  }
  return merged;
}

function inOrder(candidates: readonly Candidate[]): readonly Candidate[] {
  for (let i = 1; i < candidates.length; i += 1) {
    // They mostly are, and sorting is slow.
    const [a, b] = [candidates[i - 1], candidates[i]];
    if (a !== undefined && b !== undefined && a.start >= b.start)
      return candidates.toSorted((x, y) => x.start - y.start || y.end - x.end);
  }
  return candidates;
}

/** The name for both: of the one that was known by its form where that is most of it, else of the longer one. */
function telling(a: Candidate, b: Candidate, length: number): Candidate {
  for (const one of [a, b]) {
    if (one.specific && (one.end - one.start) * 2 > length) return one;
  }
  return b.end - b.start > a.end - a.start ? b : a;
}

/** What is left of the findings outside of `kept`, and `kept`, in order. Both are in order already. */
export function around(kept: readonly Finding[], findings: readonly Finding[]): Finding[] {
  if (kept.length === 0) return findings.map(({ rule, start, end }) => ({ rule, start, end }));
  const result: Finding[] = [];
  let next = 0;
  for (const { rule, ...span } of findings) {
    let { start } = span;
    for (let hole = kept[next]; hole !== undefined && hole.start < span.end; hole = kept[next]) {
      if (start < hole.start) result.push({ rule, start, end: hole.start });
      result.push(hole);
      start = Math.max(start, hole.end);
      next += 1;
    }
    if (start < span.end) result.push({ rule, start, end: span.end });
  }
  return [...result, ...kept.slice(next)];
}

/** Takes spans of the masked text back to the text that `findings` were found in; a mask is taken whole. */
export function unmask(spans: readonly Candidate[], findings: readonly Finding[]): Candidate[] {
  if (findings.length === 0) return [...spans];
  // By how much a place behind the masks so far has moved, and the masks in places of the masked text.
  let shift = 0;
  let next = 0;
  let mask = { start: 0, end: 0, from: 0, to: 0 };
  const back = (place: number, side: 'start' | 'end'): number => {
    for (let finding = findings[next]; finding !== undefined; finding = findings[next]) {
      const start = finding.start + shift;
      if (start >= place) break;
      const end = start + maskOf(finding.rule).length;
      mask = { start, end, from: finding.start, to: finding.end };
      shift = end - finding.end;
      next += 1;
    }
    if (place < mask.end && place > mask.start) return side === 'start' ? mask.from : mask.to;
    return place - shift;
  };
  return spans.map((span) => ({ ...span, start: back(span.start, 'start'), end: back(span.end, 'end') }));
}
