import { configPathIn } from './hookCommand.js';
import { ourEntries, usesLauncher } from './hookEntries.js';
import { readSettings } from './settingsFile.js';
import { changeText, readRoot } from './settingsText.js';

/**
 * The configuration file that the hooks of ours in a settings file read; null where they name none, and where the
 * settings cannot be read.
 */
export async function namedConfig(settings: string): Promise<string | null> {
  let command = '';
  try {
    changeText(await readSettings(settings), settings, (text) => {
      const commands = ourEntries(readRoot(text, settings)).map((entry) => entry.command);
      command = commands.find(usesLauncher) ?? '';
      return text;
    });
  } catch {
    return null; // Whoever changes the file says what is wrong with it.
  }
  return configPathIn(command);
}
