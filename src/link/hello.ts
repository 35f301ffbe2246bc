/** Version of what front and host say to each other before MCP begins. */
export const PROTOCOL = 1;
/** Schema of the store that this version reads and writes; a test holds it to the store's own. */
export const SCHEMA = 4;
/** Longest first line, in bytes. */
export const MAX_HELLO = 64 * 1024;

/**
 * Notifications of a front to its host, within MCP. `LEAVING`: the client has left and the front's own end is near,
 * so that what would wait for the model is answered without it. What comes between `REPEATING` and `REPEATED` was
 * sent to a host before and not answered; `since` in the params of `REPEATING` says of each id, as JSON, since when the
 * front has it, in epoch seconds.
 */
export const LEAVING = 'notifications/subconscious/leaving';
export const REPEATING = 'notifications/subconscious/repeating';
export const REPEATED = 'notifications/subconscious/repeated';

/** What differs between the clients of one host. */
export interface ClientSettings {
  readonly defaultThreshold: number;
  readonly defaultTtlSeconds: number | null;
  readonly echoLogEnabled: boolean;
  readonly echoLogMaxBytes: number;
  readonly captureEnabled: boolean;
  readonly embeddingModel: string;
  /** Names of the groups of tools it asks for. */
  readonly toolsets: readonly string[];
  /** Sentences about parts of the client's configuration that have no effect. */
  readonly warnings: readonly string[];
}

/** First line of a front. Newline-delimited JSON-RPC follows once it is welcome. */
export interface Hello {
  readonly subconscious: 'hello';
  readonly protocol: number;
  readonly version: string;
  readonly schema: number;
  readonly token: string;
  /** Random; with the id of a request it names what was asked, also after the host was replaced. */
  readonly frontId: string;
  /** `<dev>:<ino>` of the storage directory as the front sees it; null where it cannot tell. */
  readonly store: string | null;
  /** Whose memory the client works with; the front found it, in the client's folder. */
  readonly project: { readonly key: string; readonly name: string };
  readonly settings: ClientSettings;
}

/**
 * Why a front is not welcome. `retiring`: this host is about to end, another will follow; `store`: it serves
 * another directory.
 */
export type Refusal = 'token' | 'protocol' | 'store' | 'retiring';

/** What a host says outside MCP, each a line of its own. */
export type HostWord =
  | { readonly subconscious: 'welcome'; readonly version: string; readonly pid: number }
  | {
      readonly subconscious: 'refused';
      readonly why: Refusal;
      readonly message: string;
      /** Whether the host ends for this front, which is to start the next one. */
      readonly yours?: boolean;
    }
  /** Said to welcome fronts before the host ends to make room for another one. */
  | { readonly subconscious: 'retiring' };

/** The host's word in a line already parsed, or null where it is something else. */
export function hostWord(value: unknown): HostWord | null {
  if (typeof value !== 'object' || value === null || !('subconscious' in value)) return null;
  switch (value.subconscious) {
    case 'welcome':
    case 'refused':
    case 'retiring':
      return value as HostWord; // Written by a host that has our token's file; unknown fields do no harm.
    default:
      return null;
  }
}
