/** What an unknown error says. */
export function wording(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
