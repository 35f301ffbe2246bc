import { assignedValue } from './assignedValue.js';
import { matchAt } from './matchAt.js';
import { nameAround } from './nameAround.js';
import type { SecretKind } from './names.js';
import { secretKind } from './names.js';
import { nearbyValue } from './nearbyValue.js';
import type { Value } from './readValue.js';
import { whole } from './readValue.js';
import type { Detection, Detector } from './rule.js';
import { NONE } from './rule.js';
import { handedKey, saidValue } from './saidValue.js';

/** Every name of a secret has one of these in it. */
const PARTS = [
  'pass',
  'pswd',
  'pwd',
  'secret',
  'token',
  'key',
  'auth',
  'cred',
  'conn',
  'pw=',
  'pw:',
  'pw ',
  'psk',
  'pepper',
  'login',
  '_pat',
];
const PART = /pass|pswd|pwd|secret|token|key|auth|cred|conn|pw[=: ]|psk|pepper|login|_pat/iy;

/** What was found before. */
const MASKED = /["'`]?[ \t]?[:=]?[ \t]?["'`]?\[REDACTED:[a-z0-9_]{1,40}\](?=["'`]?[\s,;&}]|$)/y;

/** What the last names were: in long texts there are few. Longer ones may be secrets themselves. */
const kinds = new Map<string, SecretKind | null>();
const LONGEST_KEPT = 24;
const MOST_KEPT = 64;

function kindOf(name: string): SecretKind | null {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  const kind = secretKind(name);
  if (kinds.size >= MOST_KEPT) kinds.clear();
  if (name.length <= LONGEST_KEPT) kinds.set(name, kind);
  return kind;
}

/** Secrets that nothing but the name beside them gives away. */
export const namedSecrets: Detector = {
  anchors: PARTS,
  specific: false,
  detect(text, at) {
    if (matchAt(PART, text, at) === null) return null;
    const name = nameAround(text, at);
    if (matchAt(MASKED, text, name.end) !== null) return { findings: NONE, resume: name.end };
    const kind = kindOf(name.text);
    if (kind === null) {
      const handed = handedKey(text, name);
      return handed === null ? { findings: NONE, resume: name.end } : found(text, 'mentioned_secret', handed);
    }
    const assigned = assignedValue(text, name, kind);
    if (assigned !== null)
      return found(text, ruleOf(name.text, text.slice(assigned.start, assigned.end)), assigned);
    const said = saidValue(text, name, kind);
    if (said !== null) return found(text, 'mentioned_secret', said);
    const nearby = nearbyValue(text, name, kind);
    if (nearby !== null) return found(text, 'high_entropy', nearby);
    return { findings: NONE, resume: name.end };
  },
};

function found(text: string, rule: string, value: Value): Detection {
  const end = whole(text, value);
  return { findings: [{ rule, start: value.start, end }], resume: end };
}

function ruleOf(name: string, value: string): string {
  return /aws|access_?key/i.test(name) && /^[A-Za-z0-9+/]{40}$/.test(value) ? 'aws_secret_key' : 'assignment';
}
