/**
 * Share of neighbouring letter pairs two texts have in common, from 0 to 1: the Dice coefficient over pairs,
 * each counted as often as it occurs. White space and punctuation do not count.
 */
export function sharedPairs(a: string, b: string): number {
  const left = pairs(a);
  const right = pairs(b);
  let shared = 0;
  let total = 0;
  for (const [pair, count] of left) {
    shared += Math.min(count, right.get(pair) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  return total === 0 ? 0 : (2 * shared) / total;
}

function pairs(text: string): Map<string, number> {
  const letters = Array.from(text.replace(/[\s\p{P}]/gu, ''));
  const counts = new Map<string, number>();
  for (const [at, letter] of letters.entries()) {
    const next = letters[at + 1];
    if (next !== undefined) counts.set(letter + next, (counts.get(letter + next) ?? 0) + 1);
  }
  return counts;
}
