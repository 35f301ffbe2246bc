/** What the embedder's client sends to the child process. */
export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/**
 * What the child sends: first `ready` or `failed`, then one `vectors` or `error` per request, and `working` before
 * that where it takes seconds.
 */
export type EmbedReply =
  /** With the name of the runtime that was loaded. */
  | { readonly kind: 'ready'; readonly runtime: string }
  /** The model or the runtime cannot be used; the text is shown to people. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'working' }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: Float32Array[] }
  | { readonly kind: 'error'; readonly id: number; readonly error: string };
