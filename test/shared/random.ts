import { randomInt } from 'node:crypto';

/** The next number, at least 0 and below 1. */
export type Random = () => number;

/**
 * Runs a test with random choices. What it fails with names the seed, and SUBCONSCIOUS_SEED makes the same choices
 * again; what other processes do at the same time is not repeated.
 */
export async function seeded(run: (random: Random) => Promise<void>): Promise<void> {
  const given = process.env['SUBCONSCIOUS_SEED'];
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  try {
    await run(xorshift(seed));
  } catch (error) {
    const what = error instanceof Error ? error.message : String(error);
    throw new Error(`SUBCONSCIOUS_SEED=${seed}: ${what}`, { cause: error });
  }
}

/** Marsaglia, Xorshift RNGs, 2003: the triple 13, 17, 5. */
function xorshift(seed: number): Random {
  let state = seed | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

export function oneOf<Item>(items: readonly Item[], random: Random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
}
