import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connectClient } from '../../src/clients/connect.js';
import { CLIENTS } from '../../src/clients/clientTable.js';
import { installHooks } from '../../src/clients/installHooks.js';
import type { ClientWorld } from '../../src/clients/world.js';
import { ConnectPlace } from '../clients/connectPlace.js';
import { uninstalling } from './uninstalling.js';

export const EXTENSION = 'subconscious.subconscious-mcp-0.3.0';

/** A home with hooks and connected clients, and a folder of extensions. */
export class InstalledPlace extends ConnectPlace {
  readonly extension = join(this.root, 'extensions', EXTENSION);
  readonly projectSettings = join(this.folder, '.claude', 'settings.local.json');

  programOf(extension = this.extension) {
    return { node: process.execPath, script: join(extension, 'dist', 'server.js'), version: '0.3.0' };
  }

  /** Makes the folder of a version beside that of the extension. */
  version(name: string): string {
    const folder = join(dirname(this.extension), name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  async hook(settings = this.settings, extension = this.extension): Promise<string> {
    await installHooks({ ...this.installation, settings, program: this.programOf(extension) });
    return settings;
  }

  /** Returns the configuration file. */
  async connect(id: string, fields: Partial<ClientWorld> = {}): Promise<string> {
    const client = CLIENTS.find((one) => one.id === id);
    if (client === undefined) throw new Error(`There is no client ${id}.`);
    return (await connectClient(client, this.world({ program: this.programOf(), ...fields }))).file;
  }

  /** Names of the launchers that are there. */
  launchers(): string[] {
    const folder = dirname(this.launcher);
    return existsSync(folder) ? readdirSync(folder).sort() : [];
  }

  async uninstall(fields: Parameters<typeof uninstalling>[2] = {}): Promise<void> {
    await uninstalling(this, this.extension, fields);
  }
}
