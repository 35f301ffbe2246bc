import type { Finding } from '../../core/ports.js';
import { matchAt } from './matchAt.js';
import { secretKind } from './names.js';
import { isPlausible } from './plausible.js';
import type { Detector } from './rule.js';

const INSERT =
  /insert[ \t]{1,4}(?:ignore[ \t]{1,4})?into\s{1,20}[\w."`[\]]{1,120}\s{0,20}\(([^()]{1,1000})\)\s{0,20}values?\s{0,20}\(/iy;
/** A value with the sign behind it; the text of one in quotes is a group. */
const VALUE =
  /\s{0,20}(?:[NE]?'([^'\\]*(?:(?:''|\\.)[^'\\]*){0,40000})'|"([^"\\]*(?:(?:""|\\.)[^"\\]*){0,40000})"|[^,()'"]{0,200}(?:\([^()]{0,200}\)[^,()'"]{0,40})?)\s{0,20}([,)])/dsy;
const NEXT_ROW = /\s{0,20},\s{0,20}\(/y;

/** Secrets in the rows of a statement, known by the names of their columns. */
export const insertedValues: Detector = {
  anchors: ['insert '],
  specific: false,
  detect(text, at) {
    const insert = matchAt(INSERT, text, at);
    if (insert === null) return null;
    const kinds = (insert[1] ?? '').split(',').map((name) => secretKind(name.replace(/["'`[\]\s]/g, '')));
    const findings: Finding[] = [];
    let resume = at + insert[0].length;
    if (kinds.every((kind) => kind === null)) return { findings, resume };
    for (let column = 0; ; column += 1) {
      const value = matchAt(VALUE, text, resume);
      if (value === null) return { findings, resume };
      resume = VALUE.lastIndex;
      const kind = kinds[column] ?? null;
      const [start, end] = value.indices?.[1] ?? value.indices?.[2] ?? [0, 0];
      if (kind !== null && start < end && isPlausible(text, { start, end, quoted: true }, kind, 'free', '='))
        findings.push({ rule: 'sql_password', start, end });
      if (value[3] === ',') continue;
      if (matchAt(NEXT_ROW, text, resume) === null) return { findings, resume };
      resume = NEXT_ROW.lastIndex;
      column = -1;
    }
  },
};
