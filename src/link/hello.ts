/** Version of what front and host say to each other before MCP begins. */
export const PROTOCOL = 1;
/** Schema of the store that this version reads and writes; a test holds it to the store's own. */
export const SCHEMA = 2;
/** Longest first line, in bytes. */
export const MAX_HELLO = 1024 * 1024;

/**
 * Method of the notification by which a front says that its client has left and its own end is near: what would
 * wait for the model is answered without it.
 */
export const LEAVING = 'notifications/subconscious/leaving';

/** What differs between the clients of one host. */
export interface ClientSettings {
  readonly namespace: string | null;
  readonly defaultThreshold: number;
  readonly defaultTtlSeconds: number | null;
  readonly echoLogEnabled: boolean;
  readonly echoLogMaxBytes: number;
  readonly captureEnabled: boolean;
  readonly embeddingModel: string;
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
  /** Folder the client works in. */
  readonly directory: string;
  /** The user's home folder, or an empty string. */
  readonly home: string;
  readonly settings: ClientSettings;
  /** How many of the tools/call requests that follow, the first ones, were sent to a host before and not answered. */
  readonly repeated: number;
}

/**
 * Why a front is not welcome. `retiring`: this host is about to end, another will follow; `store`: it serves
 * another directory.
 */
export type Refusal = 'token' | 'protocol' | 'store' | 'retiring';

/** What a host says outside MCP, each a line of its own. */
export type HostWord =
  | { readonly subconscious: 'welcome'; readonly version: string; readonly pid: number }
  | { readonly subconscious: 'refused'; readonly why: Refusal; readonly message: string }
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
