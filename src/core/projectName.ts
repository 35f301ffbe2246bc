import { GLOBAL_PROJECT } from './memory.js';

/** A project as people see it. */
export interface NamedProject {
  /** Key from `src/project`. */
  readonly key: string;
  readonly name: string;
}

/** The project of this key; `own` is the asker's, whose name says more than can be read from its key. */
export function namedProject(key: string, own: NamedProject): NamedProject {
  return key === own.key ? { key, name: own.name } : { key, name: projectName(key) };
}

/** What people call a project of which only the key is known. */
export function projectName(key: string): string {
  if (key === GLOBAL_PROJECT) return 'global';
  const [, kind, value = ''] = /^(namespace|path):(.+)$/s.exec(key) ?? [];
  if (kind === undefined) return key;
  return kind === 'namespace' ? value : folderName(value);
}

/** As `src/project` names a folder: without what bare repositories add to it. */
function folderName(path: string): string {
  const names = path.split(/^[a-z]:|^\\\\/.test(path) ? /[/\\]+/ : /\/+/).filter((name) => name !== '');
  const last = names.at(-1) ?? path;
  return last === '.bare' ? (names.at(-2) ?? last) : last.replace(/(?<=.)\.git$/, '');
}
