import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Installed {
  readonly identifier: { readonly id: string };
}

/** Identifiers of the extensions a test has installed. */
export function installedExtensions(extensions: string): string[] {
  const list = JSON.parse(readFileSync(join(extensions, 'extensions.json'), 'utf8')) as readonly Installed[];
  return list.map(({ identifier }) => identifier.id).filter((id) => id !== 'test.bridge');
}

/**
 * Entries, with their stack, of the extension hosts' logs that name one of these extensions, and all of their own
 * log channels, oldest first per file.
 */
export function extensionLog(profile: string, ids: readonly string[]): string[] {
  const root = join(profile, 'data', 'logs');
  if (!existsSync(root)) return [];
  const names = (text: string) => ids.some((id) => text.toLowerCase().includes(id));
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.includes('exthost') && file.endsWith('.log'))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split(/^(?=\d{4}-\d\d-\d\d )/m)
        .filter((entry) => entry.trim() !== '' && (names(file) || names(entry)))
        .map((entry) => `${file.split('/').slice(-2).join('/')}: ${entry.trimEnd()}`),
    );
}
