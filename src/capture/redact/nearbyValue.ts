import { matchAt } from './matchAt.js';
import type { Name } from './nameAround.js';
import type { SecretKind } from './names.js';
import type { Value } from './readValue.js';
import { isPath, isRandom } from './values.js';

/** Units on the same line in which a value may stand behind the word that tells what it is. */
const NEAR = 60;
const RUN_LENGTH = 20;
const RUN = /[A-Za-z0-9+/_-]{20,400}/y;
/** Where the run has a name of its own, or is a part of an address. */
const NAMED =
  /(?:[\w-]["'`]?[ \t]{0,4}=[ \t]{0,4}["'`]?|(?:["'`]|_\w{1,20}|[a-z][A-Z]\w{0,20}):[ \t]{0,4}["'`]?|[/\\.@#])$/;
/** Where the line says that it is no secret. */
const OTHER =
  /(?<![a-z])(?:sha-?\d*|md5|commit|hash|digest|checksum|integrity|etag|revision|rev|id|uuid|blob|tree|branch|version|image|file|path|data|base64)\W{1,4}$/i;
const REST = /[A-Za-z0-9+/_=-]*/y;

/** A string in no order that stands close behind the word for a secret. Hexadecimal ones are commits and checksums. */
export function nearbyValue(text: string, name: Name, kind: SecretKind): Value | null {
  if (kind === 'key') return null;
  const start = nextRun(text, name.end);
  const run = start === null ? null : matchAt(RUN, text, start)?.[0];
  if (start === null || run == null || !/\d/.test(run) || /^[0-9a-f-]+$/i.test(run)) return null;
  const front = text.slice(Math.max(name.end, start - 24), start);
  if (!isRandom(run) || isPath(run) || NAMED.test(front) || OTHER.test(front)) return null;
  return { start, end: start + (matchAt(REST, text, start)?.[0].length ?? 0), quoted: false };
}

/** Where the first run begins that is near and long enough. */
function nextRun(text: string, from: number): number | null {
  let start = from;
  for (let i = from; start - from <= NEAR; i += 1) {
    const unit = text.charCodeAt(i);
    if (isRunUnit(unit)) {
      if (i - start + 1 >= RUN_LENGTH) return start;
    } else if (Number.isNaN(unit) || unit === 10 || unit === 91 || unit === 93) return null;
    else start = i + 1;
  }
  return null;
}

/** Letters, digits, +, /, - and _. */
function isRunUnit(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 47 && unit <= 57) ||
    unit === 43 ||
    unit === 45 ||
    unit === 95
  );
}
