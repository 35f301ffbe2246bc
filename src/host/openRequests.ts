import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

/** Requests of one client that are worked on at a time: characters, and how many. One alone may have more. */
const MAX_SIZE = 8 * 1024 * 1024;
const MAX_COUNT = 1000;

/** The requests of one client that have no answer yet. */
export class OpenRequests {
  private readonly sizes = new Map<RequestId, number>();
  private size = 0;

  /** Whether more should wait until some of it is done. */
  get full(): boolean {
    return this.size > MAX_SIZE || this.sizes.size > MAX_COUNT;
  }

  begin(id: RequestId, size: number): void {
    this.done(id); // An id in use twice is the client's fault, and counts once.
    this.sizes.set(id, size);
    this.size += size;
  }

  done(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.size -= this.sizes.get(id) ?? 0;
    this.sizes.delete(id);
  }
}
