/** True where a tool of the server said by itself why it could not do what was asked. */
export function isToolFailure(error: unknown): error is Error {
  // By its name: the client side of MCP is a bundle of its own, and so is its class.
  return error instanceof Error && error.name === 'ToolFailure';
}

/** True where the server said that there is no such entry at all. Any other failure tells nothing of the entry. */
export function saysGone(error: unknown): boolean {
  return isToolFailure(error) && /^No (?:entry|episode) \S+[.:] /.test(error.message);
}
