import { named, type Name } from './names.js';
import type { Window } from './window.js';

export interface MenuItem {
  readonly label: string;
  readonly enabled: boolean;
  readonly checked: boolean;
}

export const openedMenu = ({ page }: Window) => page.locator('.monaco-menu:visible').last();

const itemsIn = (window: Window) => openedMenu(window).locator('.action-item:has(.action-menu-item)');

/** Entries of the open menu, without its separators. */
export function menuItems(window: Window): Promise<MenuItem[]> {
  return itemsIn(window).evaluateAll((items) =>
    items.map((item) => ({
      label: item.querySelector('.action-label')?.textContent ?? '',
      enabled: item.querySelector('.disabled') === null && !item.classList.contains('disabled'),
      checked: item.querySelector('.action-menu-item')?.getAttribute('aria-checked') === 'true',
    })),
  );
}

/** Presses an entry of the open menu. */
export async function pressMenuItem(window: Window, label: Name): Promise<void> {
  await openedMenu(window).waitFor();
  const item = await named('menu entry', itemsIn(window).locator('.action-label'), label);
  await item.hover();
  await item.click();
}

export async function closeMenu(window: Window): Promise<void> {
  await window.page.keyboard.press('Escape');
  await window.page.locator('.monaco-menu:visible').waitFor({ state: 'detached' });
}
