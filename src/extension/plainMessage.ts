/**
 * A message with text of memories, or of the server, in it. Editors make links of `[words](command:...)` in messages,
 * and such a link runs a command: what was remembered must not bring one.
 */
export function plainMessage(text: string): string {
  return text.replaceAll('](', '] (');
}
