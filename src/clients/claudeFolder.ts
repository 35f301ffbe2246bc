import { pathsOf } from './launcherPath.js';
import type { ClientWorld } from './world.js';

/** Absolute path of the folder with the user's settings, memory and skills of Claude Code. */
export function claudeFolder({
  home,
  platform,
  env,
}: Pick<ClientWorld, 'home' | 'platform' | 'env'>): string {
  const said = env['CLAUDE_CONFIG_DIR']?.trim() ?? '';
  return said === '' ? pathsOf(platform).join(home, '.claude') : pathsOf(platform).resolve(said);
}
