import { namesIn } from '../capture/folders.js';
import { unresolvedFailure } from '../capture/hookLog.js';
import { damagedOf } from '../capture/spool.js';
import type { HealthNote } from '../core/ports.js';

/** What is not as it should be in what hooks leave. `now` is epoch seconds. */
export function captureNotes(storageDir: string, now: number): HealthNote[] {
  return [...failureNote(storageDir, now), ...damageNote(storageDir)];
}

/** Without the failure's own words: they name files of projects that are nobody else's business. */
function failureNote(storageDir: string, now: number): HealthNote[] {
  const failure = unresolvedFailure(storageDir, now);
  if (failure === null) return [];
  const { count, last } = failure;
  const times = count === 1 ? 'once' : `${count} times`;
  const message =
    `A Claude Code hook failed ${times}, last at ${last.at} (${last.event}): what it would have captured may be ` +
    'missing. `subconscious-mcp doctor` says why and how to mend it.';
  return [{ code: 'hook_failed', message }];
}

function damageNote(storageDir: string): HealthNote[] {
  const folder = damagedOf(storageDir);
  const names = namesIn(folder);
  if (names.length === 0) return [];
  const what = names.length === 1 ? 'One captured session was' : `${names.length} captured sessions were`;
  const message = `${what} set aside in ${folder}, because they could not be read. Look at it there, then mend it and move it back into the inbox, or delete it.`;
  return [{ code: 'inbox_damaged', message }];
}
