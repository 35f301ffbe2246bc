import { tmpdir } from 'node:os';

/** The machine as far as the way from front to host depends on it. */
export interface LinkSystem {
  readonly platform: NodeJS.Platform;
  /** The user this process acts for; null on systems without numeric users. */
  readonly uid: number | null;
  /** $XDG_RUNTIME_DIR; empty where it is not set. */
  readonly runtimeDir: string;
  readonly tempDir: string;
}

export const thisSystem: LinkSystem = {
  platform: process.platform,
  uid: process.geteuid?.() ?? null,
  runtimeDir: process.env['XDG_RUNTIME_DIR'] ?? '',
  tempDir: tmpdir(),
};
