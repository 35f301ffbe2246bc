/** What the embedder's client sends to the child process. */
export interface EmbedRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

/** What the child sends: first `ready` or `failed`, then one `vectors` or `error` per request. */
export type EmbedReply =
  | { readonly kind: 'ready' }
  /** The model or the runtime cannot be used; the text is shown to people. */
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'vectors'; readonly id: number; readonly vectors: Float32Array[] }
  | { readonly kind: 'error'; readonly id: number; readonly error: string };
