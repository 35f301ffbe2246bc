import assert from 'node:assert/strict';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Listing } from '../../src/core/listing.js';
import { until } from '../server/until.js';

export const ENTRIES = 'memory://entries';

/** Within this a change made by one client has reached another. */
const REACHED_SECONDS = 1;

export function uriOf(entryId: string | undefined): string {
  assert.ok(entryId);
  return `${ENTRIES}/${entryId}`;
}

/** A client that subscribes to resources and keeps book of what it is told. */
export class Watcher {
  /** URIs, in the order they were told. */
  readonly told: string[] = [];

  private constructor(readonly client: Client) {
    client.setNotificationHandler(
      ResourceUpdatedNotificationSchema,
      ({ params }) => void this.told.push(params.uri),
    );
  }

  static async of(client: Client, ...uris: readonly string[]): Promise<Watcher> {
    const watcher = new Watcher(client);
    for (const uri of uris) await client.subscribeResource({ uri });
    return watcher;
  }

  /** Makes a change; fails where this client is not told of all these URIs and nothing else. */
  async isTold(uris: readonly string[], change: () => Promise<unknown>): Promise<void> {
    this.told.length = 0;
    await change();
    await this.hears(uris);
    assert.deepEqual([...new Set(this.told)].sort(), [...uris].sort());
  }

  /** Resolves when this client has been told of these since `told` was emptied. */
  async hears(uris: readonly string[], seconds = REACHED_SECONDS): Promise<void> {
    const missing = () => uris.filter((uri) => !this.told.includes(uri));
    await until(`a change of ${uris.join()} is told`, () => missing().length === 0, seconds);
  }

  /** Everything the server has sent so far has been read then. */
  async settled(): Promise<void> {
    await this.client.ping();
  }

  /**
   * Reads the list of entries whenever this client is told of it, and only then, until the tasks in it are these;
   * resolves to how many times it was told.
   */
  async sees(tasks: readonly string[]): Promise<number> {
    const wanted = [...tasks].sort().join();
    let heard = this.timesTold();
    await until(`what is read when told is ${wanted.slice(0, 80)}`, async () => {
      if (heard === this.timesTold()) return false;
      heard = this.timesTold();
      return (await this.tasks()).sort().join() === wanted;
    });
    return heard;
  }

  /** What the resource holds now. */
  async read(uri = ENTRIES): Promise<Record<string, unknown>> {
    const [content] = (await this.client.readResource({ uri })).contents;
    assert.ok(content && 'text' in content);
    return JSON.parse(content.text) as Record<string, unknown>; // Checked by whoever reads.
  }

  async tasks(): Promise<string[]> {
    const { entries } = (await this.read()) as unknown as Listing; // As the resource has it.
    return entries.map(({ task_text }) => task_text);
  }

  private timesTold(): number {
    return this.told.filter((uri) => uri === ENTRIES).length;
  }
}
