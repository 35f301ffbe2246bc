import type { Locator } from 'playwright-core';
import { findRow } from './list.js';
import { menuItems, openedMenu, type MenuItem } from './menus.js';
import { named, type Name } from './names.js';
import { until } from './waiting.js';
import { pane } from './views.js';
import type { Window } from './window.js';

async function treeRow(window: Window, view: string, label: Name): Promise<Locator> {
  return findRow((await pane(window, view)).locator('.monaco-list').first(), label);
}

/** Expands a row, or collapses it. */
export async function expand(window: Window, view: string, label: Name, expanded = true): Promise<void> {
  const row = await treeRow(window, view, label);
  const isSo = async () => (await row.getAttribute('aria-expanded')) === String(expanded);
  if (await isSo()) return;
  await row.locator('.monaco-tl-twistie').click();
  await until(`${String(label)} is ${expanded ? 'expanded' : 'collapsed'}`, isSo);
}

/** Clicks a row, which selects it and runs its command. */
export async function clickRow(window: Window, view: string, label: Name): Promise<void> {
  await (await treeRow(window, view, label)).click();
}

/** Selects these rows together, as with the control key held. */
export async function selectRows(window: Window, view: string, labels: readonly Name[]): Promise<void> {
  for (const [index, label] of labels.entries()) {
    const row = await treeRow(window, view, label);
    await row.click(index === 0 ? {} : { modifiers: ['ControlOrMeta'] });
  }
}

/** Presses a button inside a row. */
export async function pressInline(window: Window, view: string, label: Name, action: Name): Promise<void> {
  const row = await treeRow(window, view, label);
  await row.hover();
  await (await named('inline action', row.locator('.actions .action-label'), action)).click();
}

/** Opens the menu of a row, or of the selection it belongs to, and gives its entries. */
export async function contextMenu(window: Window, view: string, label: Name): Promise<MenuItem[]> {
  const row = await treeRow(window, view, label);
  await row.click({ button: 'right' });
  await openedMenu(window).waitFor();
  return menuItems(window);
}
