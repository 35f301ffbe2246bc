import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { folderTable, importsOf, sourceFiles, type Import } from './folders.js';

const table = folderTable();
const imports = sourceFiles().flatMap(importsOf);
const relative = imports.filter(({ specifier }) => specifier.startsWith('.'));
const foreign = imports.filter(({ specifier }) => !specifier.startsWith('.'));

const folderOf = (file: string) => file.split('/')[0] ?? '';
const target = ({ from, specifier }: Import) =>
  posix.join(posix.dirname(from), specifier).replace(/\.js$/, '.ts');
const packageOf = (specifier: string) =>
  specifier.startsWith('node:')
    ? 'node'
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');

describe('the import arrows', () => {
  it('are read from a table that names every source folder, and no other', () => {
    assert.deepEqual([...new Set(sourceFiles().map(folderOf))].sort(), [...table.keys()].sort());
    assert.ok(relative.length > 30, 'the scan finds imports');
  });

  it('go only where the table allows', () => {
    const wrong = relative.filter((entry) => {
      const [from, to] = [folderOf(entry.from), folderOf(target(entry))];
      if (target(entry) === '../package.json') return false;
      return from !== to && !table.get(from)?.imports.includes(to);
    });
    assert.deepEqual(wrong, []);
  });

  it('reach only the packages the table allows', () => {
    const wrong = foreign.filter(
      ({ from, specifier }) => !table.get(folderOf(from))?.uses.includes(packageOf(specifier)),
    );
    assert.deepEqual(wrong, []);
  });

  it('use every permission the table gives: what nothing needs is taken out of it', () => {
    const needed = (folder: string, entries: readonly Import[], name: (entry: Import) => string) =>
      new Set(entries.filter(({ from }) => folderOf(from) === folder).map(name));
    for (const [folder, { imports: allowed, uses }] of table) {
      const folders = needed(folder, relative, (entry) => folderOf(target(entry)));
      const packages = needed(folder, foreign, ({ specifier }) => packageOf(specifier));
      const unused = [
        ...allowed.filter((to) => !folders.has(to)),
        ...uses.filter((name) => !packages.has(name)),
      ];
      assert.deepEqual(unused, [], folder);
    }
  });

  it('never run in a circle between files', () => {
    const graph = new Map<string, string[]>();
    for (const entry of relative) graph.set(entry.from, [...(graph.get(entry.from) ?? []), target(entry)]);
    assert.deepEqual(findCycle(graph), []);
  });
});

/** The files of one cycle, or an empty list. */
function findCycle(graph: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): readonly string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return [];
    for (const next of graph.get(file) ?? []) {
      const cycle = walk(next, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    done.add(file);
    return [];
  };
  for (const file of graph.keys()) {
    const cycle = walk(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}
