import { removeOwnLaunchers, type Uninstallation } from '../../src/extension/removeOwnLaunchers.js';
import { NOW, type Place } from '../clients/place.js';

/** What the editor has done when it removes an extension, with all the time it takes. */
export async function uninstalling(
  { home }: Place,
  extensionFolder: string,
  fields: Partial<Uninstallation> = {},
): Promise<void> {
  await removeOwnLaunchers({
    home,
    extensionFolder,
    platform: 'linux',
    env: {},
    now: () => NOW,
    timeUp: new Promise(() => undefined),
    ...fields,
  });
}
