import { hasLetters } from './letters.js';
import type { Detector } from './rule.js';
import { MASKS, type Candidate } from './spans.js';

/** Detectors under what their anchors begin with. */
export interface AnchorIndex {
  /** By the hash of three units: 0, or a place in `groups`. */
  readonly table: Uint16Array;
  readonly groups: readonly (readonly number[])[];
  readonly detectors: readonly Detector[];
}

const MASK = new RegExp(MASKS, 'y');
const MASK_HASH = hashOf('[RE');

export function anchorIndex(detectors: readonly Detector[]): AnchorIndex {
  const table = new Uint16Array(1 << 15);
  const groups: number[][] = [[]];
  for (const [number, detector] of detectors.entries()) {
    for (const hash of new Set(detector.anchors.map(hashOf))) {
      const group = table[hash] ?? 0;
      if (group !== 0) groups[group]?.push(number);
      else table[hash] = groups.push([number]) - 1;
    }
  }
  if (table[MASK_HASH] === 0) table[MASK_HASH] = groups.push([]) - 1;
  return { table, groups, detectors };
}

/**
 * Everything the detectors find, in one pass over the text: a rolling hash of three units, blind to case, says where
 * it is worth to ask which of them. Masks are stepped over.
 */
export function scan(text: string, { table, groups, detectors }: AnchorIndex): Candidate[] {
  const found: Candidate[] = [];
  const masks: Span[] = [];
  const resume = new Uint32Array(detectors.length);
  let hash = 0;
  for (let i = 0; i < text.length; i += 1) {
    hash = ((hash << 5) | (text.charCodeAt(i) & 31)) & 0x7fff;
    const group = table[hash] ?? 0;
    if (group === 0 || i < 2) continue;
    const at = i - 2;
    if (hash === MASK_HASH) {
      MASK.lastIndex = at;
      if (MASK.test(text)) {
        masks.push({ start: at, end: MASK.lastIndex });
        i = MASK.lastIndex - 1;
        hash = 0;
        continue;
      }
    }
    for (const number of groups[group] ?? []) {
      const detector = detectors[number];
      if (detector === undefined || at < (resume[number] ?? 0)) continue;
      const detection = detector.detect(text, at);
      if (detection === null) continue;
      resume[number] = detection.resume;
      for (const { rule, start, end } of detection.findings)
        found.push({ rule, start, end, specific: detector.specific });
    }
  }
  return masks.length === 0 ? found : found.flatMap((candidate) => besideMasks(text, masks, candidate));
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The candidate without the part of a mask at either end; nothing where it holds only masks. */
function besideMasks(text: string, masks: readonly Span[], { start, end, ...found }: Candidate): Candidate[] {
  const from = maskAround(masks, start)?.end ?? start;
  const to = maskAround(masks, end - 1)?.start ?? end;
  if (from >= to) return [];
  const left = text.slice(from, to).replace(MASKS, '');
  const kept = left.length === end - start || hasLetters(left);
  return kept ? [{ ...found, start: from, end: to }] : [];
}

function maskAround(masks: readonly Span[], at: number): Span | undefined {
  let low = 0;
  for (let high = masks.length; low < high;) {
    const middle = (low + high) >> 1;
    if ((masks[middle]?.end ?? Infinity) > at) high = middle;
    else low = middle + 1;
  }
  const mask = masks[low];
  return mask !== undefined && mask.start <= at ? mask : undefined;
}

function hashOf(anchor: string): number {
  if (anchor.length < 3) throw new RangeError(`the anchor ${anchor} is too short`);
  let hash = 0;
  for (let i = 0; i < 3; i += 1) hash = (hash << 5) | (anchor.charCodeAt(i) & 31);
  return hash;
}
