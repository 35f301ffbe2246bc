import type { Locator } from 'playwright-core';
import { rowsOf } from './list.js';
import type { Row } from './listReading.js';
import { labelsOf, named, type Name } from './names.js';
import { until } from './waiting.js';
import type { Window } from './window.js';

export const sidebar = ({ page }: Window) => page.locator('[id="workbench.parts.sidebar"]');

const activity = ({ page }: Window, title: string) =>
  page.locator(`.activitybar .action-item:has(a[aria-label^="${title}"])`).first();

/** Shows the views of an icon in the activity bar. */
export async function openActivity(window: Window, title: string): Promise<void> {
  const item = activity(window, title);
  await item.waitFor();
  if (!(await item.evaluate((element) => element.classList.contains('checked')))) await item.click();
  await sidebar(window).locator('.pane, .empty-view').first().waitFor();
}

export interface Badge {
  readonly text: string;
  /** What a screen reader says of the icon. */
  readonly label: string;
}

/** Badge of an icon in the activity bar. */
export function badge(window: Window, title: string): Promise<Badge | undefined> {
  return activity(window, title).evaluate((item) => {
    const frame = item.querySelector('.badge');
    const text = item.querySelector('.badge-content')?.textContent ?? '';
    if (frame === null || text === '' || getComputedStyle(frame).display === 'none') return undefined;
    return { text, label: item.querySelector('a')?.getAttribute('aria-label') ?? '' };
  });
}

export interface ViewHeader {
  readonly title: string;
  readonly description: string;
  readonly expanded: boolean;
}

/** Views in the side bar, from the top. */
export function viewHeaders(window: Window): Promise<ViewHeader[]> {
  return sidebar(window)
    .locator('.pane-header')
    .evaluateAll((headers) =>
      headers.map((header) => ({
        title: header.querySelector('.title')?.textContent ?? '',
        description: header.querySelector('.description')?.textContent ?? '',
        expanded: header.getAttribute('aria-expanded') === 'true',
      })),
    );
}

/** One view of the side bar, expanded. Throws with the titles there are. */
export async function pane(window: Window, title: string): Promise<Locator> {
  const titles = (await viewHeaders(window)).map((header) => header.title);
  const index = titles.indexOf(title);
  if (index < 0) throw new Error(`no view ${title}; there are: ${titles.join(' | ')}`);
  const view = sidebar(window).locator('.pane').nth(index);
  const header = view.locator('.pane-header');
  if ((await header.getAttribute('aria-expanded')) === 'false') {
    await header.click();
    await until('the view is expanded', async () => (await header.getAttribute('aria-expanded')) === 'true');
  }
  return view;
}

/** All rows of a tree, once they have stopped changing. */
export async function rows(window: Window, view: string): Promise<Row[]> {
  return rowsOf((await pane(window, view)).locator('.monaco-list').first());
}

export interface Welcome {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** What an empty view says; undefined when it says nothing. */
export async function welcome(window: Window, view: string): Promise<Welcome | undefined> {
  const content = (await pane(window, view)).locator('.welcome-view-content');
  if (!(await content.isVisible())) return undefined;
  return {
    text: (await content.innerText()).replaceAll(/\n+/g, '\n').trim(),
    buttons: await labelsOf(content.locator('.monaco-button')),
  };
}

/** Presses a button of an empty view. */
export async function pressWelcome(window: Window, view: string, button: Name): Promise<void> {
  const buttons = (await pane(window, view)).locator('.welcome-view-content .monaco-button');
  await buttons.first().waitFor();
  await (await named('button', buttons, button)).click();
}

async function titleButtons(window: Window, view: string): Promise<Locator> {
  const header = (await pane(window, view)).locator('.pane-header');
  await header.hover();
  return header.locator('.actions .action-label');
}

/** Presses a button in a view's title; `More Actions...` opens a menu. */
export async function pressTitleAction(window: Window, view: string, action: Name): Promise<void> {
  await (await named('title action', await titleButtons(window, view), action)).click();
}

/** What assistive technology sees of a view, as YAML. */
export async function accessibility(window: Window, view: string): Promise<string> {
  return (await pane(window, view)).ariaSnapshot();
}
