import assert from 'node:assert/strict';
import type { BrowsePage } from '../../src/core/browse.js';
import type { EntryDetails } from '../../src/core/details.js';
import type { DriftReview } from '../../src/core/driftReview.js';
import type { Outline } from '../../src/core/outline.js';
import type { TrashListing } from '../../src/core/trash.js';
import type { UpdateResult } from '../../src/core/update.js';
import type { Episode, EpisodeListing, ListedEpisode } from '../../src/core/episodes.js';
import type { RememberResult } from '../../src/core/remember.js';
import { WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';

/** Environment of a client that sees the tools of the sidebar. */
export const REVIEWING = { ...WITHOUT_MODEL, SUBCONSCIOUS_TOOLSETS: 'core,admin' };

/** What each tool of the sidebar answers. */
interface ReviewResults {
  episodes: EpisodeListing;
  get_episode: Episode;
  keep: RememberResult;
  discard: { readonly discarded: readonly string[] };
  restore: { readonly restored: readonly string[] };
  outline: Outline;
  list: BrowsePage;
  get_entry: EntryDetails;
  update: UpdateResult;
  forget_entries: { readonly forgotten: readonly string[] };
  trash: TrashListing;
  empty_trash: { readonly entries: number };
  drift: DriftReview;
  mark_reviewed: { readonly marked: readonly string[] };
}

/** Calls a tool of the sidebar that is expected to answer. */
export async function review<Name extends keyof ReviewResults>(
  server: ServerProcess,
  name: Name,
  args: object = {},
): Promise<ReviewResults[Name]> {
  const result = await server.callTool(name, args);
  assert.notEqual(result.isError, true, `${name}: ${result.content[0]?.text ?? ''}`);
  // Checked against the output schemas where the SDK's client is used.
  return result.structuredContent as ReviewResults[Name];
}

/** Every episode this client's project has, or with `scope: 'all'` everybody's, newest first. */
export async function allEpisodes(server: ServerProcess, args: object = {}): Promise<ListedEpisode[]> {
  const found: ListedEpisode[] = [];
  let cursor: string | undefined;
  do {
    const page = await review(server, 'episodes', { limit: 200, cursor, ...args });
    found.push(...page.episodes);
    cursor = page.next;
  } while (cursor !== undefined);
  return found;
}

/** Resolves to the episodes of this client's project when there are so many. */
export async function episodesAre(server: ServerProcess, count: number): Promise<ListedEpisode[]> {
  let found: ListedEpisode[] = [];
  await until(`there are ${count} episodes`, async () => {
    found = await allEpisodes(server);
    return found.length >= count;
  });
  assert.equal(found.length, count);
  return found;
}

/** The turns of every episode of this client's project. */
export async function turnsOf(server: ServerProcess): Promise<Episode['turns'][number][]> {
  const found = await allEpisodes(server);
  const whole = found.map(({ entry_id }) => review(server, 'get_episode', { entry_id }));
  return (await Promise.all(whole)).flatMap(({ turns }) => turns);
}
