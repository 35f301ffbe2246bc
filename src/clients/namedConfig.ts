import { configPathOf, ourEntries } from './hookEntries.js';
import { readSettings } from './settingsFile.js';
import { rootOf } from './settingsText.js';

/**
 * The configuration file that the hooks of ours in a settings file read; null where they name none, and where the
 * settings cannot be read.
 */
export async function namedConfig(settings: string): Promise<string | null> {
  try {
    const root = rootOf(await readSettings(settings), settings);
    return root === null ? null : configPathOf(ourEntries(root));
  } catch {
    return null; // Whoever changes the file says what is wrong with it.
  }
}
