import type { Locator } from 'playwright-core';
import { readRows, scroll, type Row } from './listReading.js';
import { isCalled, type Name } from './names.js';
import { settled, until } from './waiting.js';

/** The editor keeps only the visible part of a list in the page: scrolls through it and collects by `key`. */
export async function readWhole<T>(
  list: Locator,
  read: (list: Element) => T[],
  key: (entry: T) => string | number,
): Promise<T[]> {
  const entries = new Map<string | number, T>();
  const collect = async () => {
    const before = entries.size;
    for (const entry of await list.evaluate(read)) entries.set(key(entry), entry);
    return entries.size > before;
  };
  await list.evaluate(scroll, 'start' as const);
  while (await collect()) await list.evaluate(scroll, 'on' as const);
  await list.evaluate(scroll, 'start' as const);
  return [...entries.values()];
}

/** All rows of a tree or a quick pick, once they have stopped changing; none when no list is shown. */
export function rowsOf(list: Locator): Promise<Row[]> {
  return settled('the list', async () => {
    if (!(await list.isVisible())) return [];
    const rows = await readWhole(list, readRows, ({ index }) => index);
    return rows.sort((a, b) => a.index - b.index);
  });
}

/** Scrolls until the row is in the page, and waits for it. */
export async function findRow(list: Locator, name: Name): Promise<Locator> {
  await list.waitFor();
  await list.evaluate(scroll, 'start' as const);
  return until(`there is a row ${String(name)}`, async () => {
    const row = (await list.evaluate(readRows)).find(({ label }) => isCalled(label, name));
    if (row !== undefined) return list.locator(`.monaco-list-row[data-index="${row.index}"]`);
    await list.evaluate(scroll, 'around' as const);
    return undefined;
  });
}
