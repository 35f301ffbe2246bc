/** What can be wrong with a document of a memory; `faultWords` says each to people. */
export type FaultKind =
  | 'no-front-matter'
  | 'front-matter-too-long'
  | 'front-matter-too-full'
  | 'no-yaml'
  | 'no-keys'
  | 'unknown-key'
  | 'key-twice'
  | 'task'
  | 'tags'
  | 'expires'
  | 'scope'
  | 'no-answer'
  | 'no-answer-in-draft';

/** A document that is none. */
export class DocumentFault extends Error {
  /** @param detail one short line: the key that is wrong, or what the parser says */
  constructor(
    readonly kind: FaultKind,
    readonly detail = '',
  ) {
    super(`${kind} ${detail}`.trim());
  }
}
