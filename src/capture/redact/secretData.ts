import type { Finding } from '../../core/ports.js';
import { matchAt } from './matchAt.js';
import { isPassword } from './plausible.js';
import { readValue, whole } from './readValue.js';
import type { Detector } from './rule.js';
import { NONE } from './rule.js';

const HEAD = /(?<=^[ \t]{0,40})stringData:[ \t]{0,20}\r?\n/my;
const MEMBER = /([ \t]{1,40})["']?[\w.-]{1,100}["']?:[ \t]{1,4}(?![|>{[\s])/y;
const REST_OF_LINE = /[^\n]*\n?/y;

/** What a Kubernetes Secret holds in plain text (its `stringData`): what looks like one, whatever its name. */
export const secretData: Detector = {
  anchors: ['stringData:'],
  specific: false,
  detect(text, at) {
    const head = matchAt(HEAD, text, at);
    if (head === null) return null;
    const findings: Finding[] = [];
    let line = at + head[0].length;
    const indent = text.slice(text.lastIndexOf('\n', at - 1) + 1, at).length;
    for (;;) {
      const member = matchAt(MEMBER, text, line);
      if (member === null || (member[1] ?? '').length <= indent) break;
      const value = readValue(text, line + member[0].length, false);
      if (value !== null && isPassword(text.slice(value.start, value.end)))
        findings.push({ rule: 'assignment', start: value.start, end: whole(text, value) });
      line += matchAt(REST_OF_LINE, text, line)?.[0].length ?? 0;
    }
    return { findings: findings.length === 0 ? NONE : findings, resume: line };
  },
};
