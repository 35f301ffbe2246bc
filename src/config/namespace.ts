const MAX_LENGTH = 64;

/**
 * A namespace in its stored form: lower case, every character outside `a-z0-9_-` as `-`, at most 64 characters,
 * no `-` or `_` at either end; empty where nothing is left. Keys of existing stores depend on it.
 */
export function sanitizeNamespace(namespace: string): string {
  return namespace
    .toLowerCase()
    .replace(/[^a-z0-9_-]/gu, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^[-_]+|[-_]+$/g, '');
}
