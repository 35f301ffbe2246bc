import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Installation } from '../../src/clients/installHooks.js';
import type { Removal } from '../../src/clients/uninstallHooks.js';

export const NOW = 1_700_000_000.75;

/** A home folder with settings, and what an installation into them is told. */
export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'subconscious-clients-')));
  readonly home = join(this.root, 'home');
  readonly settings = join(this.home, '.claude', 'settings.json');
  readonly records = join(this.home, '.subconscious-mcp', 'installed-hooks.json');
  readonly launcher = join(this.home, '.subconscious-mcp', 'bin', 'subconscious-hook');
  readonly installation: Installation & Removal = {
    home: this.home,
    settings: this.settings,
    program: { node: '/opt/node', script: '/opt/dist/hook.js', version: '1.2.3' },
    shell: 'sh',
    configPath: null,
    others: [],
    now: NOW,
    platform: 'linux',
  };

  constructor(owner: { after(cleanUp: () => void): void }) {
    owner.after(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** Writes a file and its folder; the settings unless told otherwise. */
  write(content: string | Buffer, file = this.settings): string {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  text(file = this.settings): string {
    return readFileSync(file, 'utf8');
  }

  /** Names of what lies beside the settings, them included. */
  beside(file = this.settings): string[] {
    return readdirSync(dirname(file)).sort();
  }

  command(event: string): string {
    return `'${this.launcher}' --event ${event}`;
  }
}
