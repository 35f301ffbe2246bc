import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { namesIn } from './hookProcess.js';

/** The briefs of all projects, as they are written. */
function briefs(box: Sandbox): string[] {
  const folder = join(box.storage, 'briefs');
  try {
    const files = namesIn(folder).filter((name) => name.endsWith('.json'));
    return files.map((name) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return briefs(box); // One was replaced or removed meanwhile.
  }
}

/** Resolves when so many briefs hold this text. */
export async function briefsHoldTimes(box: Sandbox, times: number, text: string): Promise<void> {
  const holding = () => briefs(box).filter((brief) => brief.includes(text));
  await until(`${times} briefs hold ${text}`, () => holding().length === times);
}

/** Resolves when each of these texts stands in a brief. */
export async function briefsHold(box: Sandbox, ...texts: readonly string[]): Promise<void> {
  const isHeld = (text: string) => briefs(box).some((brief) => brief.includes(text));
  await until(`briefs hold ${texts.join(', ')}`, () => texts.every(isHeld));
}

/** Fails where a brief holds this text: what was taken back is gone before the one who did it is answered. */
export function assertNoBriefHolds(box: Sandbox, text: string): void {
  assert.deepEqual(
    briefs(box).filter((brief) => brief.includes(text)),
    [],
  );
}
