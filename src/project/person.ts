import { homedir, userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';

/**
 * The user's home folder, or an empty string where there is none, as for a bare uid in a container. A relative
 * one counts as none: it would mean another folder in every project.
 */
export function homeFolder(): string {
  for (const find of [homedir, () => userInfo().homedir]) {
    try {
      const home = find();
      if (isAbsolute(home)) return home;
    } catch {
      // Neither a variable nor an entry in the user database: the next way, or none.
    }
  }
  return '';
}

/**
 * Absolute path of where the client works: what its environment says, else what it reported otherwise, else the
 * working directory; home where that has been deleted.
 */
export function clientDirectory(env: NodeJS.ProcessEnv, home: string, reported = ''): string {
  const said = [env['CLAUDE_PROJECT_DIR'] ?? '', reported].find((path) => path.trim() !== '');
  try {
    return said === undefined ? process.cwd() : resolve(said);
  } catch {
    return home || '/';
  }
}
