import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ReadResourceRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Change } from '../core/changes.js';
import type { Engine } from '../core/engine.js';
import {
  affectedResources,
  listResources,
  readResource,
  requireResource,
  resourceTemplates,
} from '../tools/resources.js';
import type { Caller } from '../tools/tool.js';

/** Changes that follow each other closely are told once, in milliseconds. */
const GATHER = 50;

export interface ResourceSessionOptions {
  readonly engine: () => Promise<Engine>;
  readonly caller: Caller;
  /** Runs a request like every other one: after the handshake, in turn, waited for when the client leaves. */
  readonly run: <T>(work: () => Promise<T>) => Promise<T>;
}

/** The `memory://` resources of one client: list, read, subscribe. */
export class ResourceSession {
  private readonly subscribed = new Set<string>();
  private readonly changes = new Set<string>();
  private telling = false;

  constructor(
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- See session.ts.
    private readonly server: Server,
    private readonly options: ResourceSessionOptions,
  ) {
    const { engine, caller, run } = options;
    server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
      run(() => listResources(engine, caller, params?.cursor)),
    );
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () =>
      run(() => Promise.resolve(resourceTemplates())),
    );
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
      run(() => readResource(engine, caller, params.uri)),
    );
    server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) =>
      run(async () => {
        await requireResource(engine, caller, uri);
        this.subscribed.add(uri);
        return {};
      }),
    );
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) =>
      run(() => {
        this.subscribed.delete(uri);
        this.changes.delete(uri);
        return Promise.resolve({});
      }),
    );
  }

  /** Something was stored, changed or forgotten, by this client or another one. */
  changed(change: Change): void {
    if (this.subscribed.size === 0) return;
    for (const uri of affectedResources(change, this.options.caller)) {
      if (this.subscribed.has(uri)) this.changes.add(uri);
    }
    void this.tell();
  }

  /** Waits for the client between two rounds: one that does not read is not told more and more. */
  private async tell(): Promise<void> {
    if (this.telling) return;
    this.telling = true;
    while (this.changes.size > 0) {
      const uris = [...this.changes];
      this.changes.clear();
      const told = uris.map((uri) => this.server.sendResourceUpdated({ uri }).catch(() => undefined));
      await Promise.all(told);
      await sleep(GATHER);
    }
    this.telling = false;
  }
}
