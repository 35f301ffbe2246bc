/** See https://semver.org: core, pre-release, build. */
const SEMVER = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?(?:\+[0-9A-Za-z.-]+)?$/;
const DIGITS = /^\d+$/;

/** Whether version `a` comes after `b` in the order of semver.org. False where one of them is no version. */
export function isNewer(a: string, b: string): boolean {
  const [left, right] = [parse(a), parse(b)];
  if (left === null || right === null) return false;
  const core = compareLists(left.core, right.core);
  if (core !== 0) return core > 0;
  // A release comes after its own pre-releases.
  if (left.pre.length === 0 || right.pre.length === 0) return left.pre.length < right.pre.length;
  return compareLists(left.pre, right.pre) > 0;
}

function parse(version: string): { core: string[]; pre: string[] } | null {
  const [, major, minor, patch, pre] = SEMVER.exec(version) ?? [];
  if (major === undefined || minor === undefined || patch === undefined) return null;
  return { core: [major, minor, patch], pre: pre?.split('.') ?? [] };
}

/** The first difference decides; of equal beginnings the longer comes after. */
function compareLists(a: readonly string[], b: readonly string[]): number {
  for (const [at, left] of a.entries()) {
    const right = b[at];
    if (right === undefined) return 1;
    const order = compareParts(left, right);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

/** Numbers by value and before words, words by their characters. */
function compareParts(a: string, b: string): number {
  if (DIGITS.test(a) && DIGITS.test(b)) return Number(a) - Number(b);
  if (DIGITS.test(a) !== DIGITS.test(b)) return DIGITS.test(a) ? -1 : 1;
  return a < b ? -1 : Number(a > b);
}
