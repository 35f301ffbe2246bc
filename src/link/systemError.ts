/** The system's code of a failed call, e.g. `ENOENT`; empty where it has none. */
export function codeOf(error: unknown): string {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
