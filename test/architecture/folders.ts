import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export const ROOT = join(import.meta.dirname, '..', '..');

export interface Folder {
  readonly imports: readonly string[];
  readonly uses: readonly string[];
}

/** The folder table of docs/architecture.md. */
export function folderTable(): Map<string, Folder> {
  const text = readFileSync(join(ROOT, 'docs', 'architecture.md'), 'utf8');
  const list = (cell: string | undefined) =>
    (cell ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '' && word !== '-');
  const rows = text
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 6 && cells[1] !== 'folder' && !cells[1]?.startsWith('-'));
  return new Map(
    rows.map(([, name, , imports, uses]) => [name ?? '', { imports: list(imports), uses: list(uses) }]),
  );
}

export interface Import {
  /** Path below src, e.g. `core/recall.ts`. */
  readonly from: string;
  readonly specifier: string;
}

export function sourceFiles(): string[] {
  return readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => file.replaceAll('\\', '/'));
}

/** Every static and dynamic import of the file, types included. */
export function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, 'src', file), 'utf8');
  return ts.preProcessFile(text).importedFiles.map(({ fileName }) => ({ from: file, specifier: fileName }));
}
