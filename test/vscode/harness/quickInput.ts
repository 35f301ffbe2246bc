import { rowsOf } from './list.js';
import { readRows, type Row } from './listReading.js';
import { isCalled, labelsOf, type Name } from './names.js';
import { until } from './waiting.js';
import type { Window } from './window.js';

const widget = ({ page }: Window) => page.locator('.quick-input-widget:visible');
const box = (window: Window) => widget(window).locator('.quick-input-box input');
const list = (window: Window) => widget(window).locator('.quick-input-list .monaco-list');
const buttons = (window: Window) =>
  widget(window).locator('.quick-input-titlebar .action-label, .quick-input-inline-action-bar .action-label');

/** What an open quick pick or input box shows. */
export interface QuickInput {
  readonly title: string;
  readonly placeholder: string;
  readonly value: string;
  /** Prompt, or what is wrong with the value. */
  readonly message: string;
  /** error, warning or info; empty when nothing is wrong. */
  readonly severity: string;
  readonly buttons: readonly string[];
}

/** Reads the quick pick or input box; undefined when none is open. Its rows are read by `quickPickRows`. */
export async function quickInput(window: Window): Promise<QuickInput | undefined> {
  // Without waiting for one: it may be closed between two questions.
  const [read] = await widget(window).evaluateAll((elements) =>
    elements.map((element) => {
      const text = (selector: string) => element.querySelector(selector)?.textContent.trim() ?? '';
      const input = element.querySelector<HTMLInputElement>('.quick-input-box input');
      const frame = element.querySelector('.monaco-inputbox')?.className ?? '';
      return {
        title: text('.quick-input-title'),
        placeholder: input?.placeholder ?? '',
        value: input?.value ?? '',
        message: text('.quick-input-message'),
        severity: /\b(error|warning|info)\b/.exec(frame)?.[1] ?? '',
      };
    }),
  );
  if (read === undefined) return undefined;
  return { ...read, buttons: await labelsOf(buttons(window)) };
}

/** Waits for a quick pick or input box with this title or, where it has none, this placeholder. */
export function waitForQuickInput(window: Window, title: Name): Promise<QuickInput> {
  return until(`the quick input ${String(title)} is open`, async () => {
    const shown = await quickInput(window);
    return shown !== undefined && isCalled(shown.title || shown.placeholder, title) ? shown : undefined;
  });
}

/** All rows of the open quick pick, once they have stopped changing. */
export const quickPickRows = (window: Window): Promise<Row[]> => rowsOf(list(window));

/** Replaces what the box says, without accepting it. `timeout`: how long it may take to be ready, in milliseconds. */
export async function fill(window: Window, text: string, timeout?: number): Promise<void> {
  await box(window).fill(text, timeout === undefined ? {} : { timeout });
}

export async function accept(window: Window): Promise<void> {
  await box(window).press('Enter');
}

/** Chooses a row with the keyboard, as the mouse would miss it while the list is still being filled. */
export async function pick(window: Window, label: Name): Promise<void> {
  await focusRow(window, label);
  await accept(window);
}

/** Moves to a row of the open quick pick. */
export async function focusRow(window: Window, label: Name): Promise<void> {
  await until(`there is a row ${String(label)} in the quick pick`, () => movesTo(window, label));
}

/** Whether the row is the one with the focus; if not, the focus goes one row down. */
export async function movesTo(window: Window, label: Name): Promise<boolean> {
  const lists = list(window);
  if ((await lists.count()) === 0) return false;
  const focused = (await lists.evaluate(readRows)).find((row) => row.focused);
  if (focused !== undefined && isCalled(focused.label, label)) return true;
  await box(window).press('ArrowDown');
  return false;
}

export async function cancel(window: Window): Promise<void> {
  await window.page.keyboard.press('Escape');
  await window.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
}
