import { labelsOf, named, type Name } from './names.js';
import { until } from './waiting.js';
import type { Window } from './window.js';

export interface Dialog {
  readonly message: string;
  readonly detail: string;
  readonly buttons: readonly string[];
}

const box = ({ page }: Window) => page.locator('.monaco-dialog-box').last();
const buttonsOf = (window: Window) => box(window).locator('.dialog-buttons .monaco-button');

/** The modal dialog that is open. */
export async function dialog(window: Window): Promise<Dialog | undefined> {
  if (!(await box(window).isVisible())) return undefined;
  // A dialog without a detail shows its message in the place of one.
  const texts = await box(window).locator('.dialog-message, .dialog-message-detail').allInnerTexts();
  const [message = '', detail = ''] = texts.map((text) => text.trim()).filter((text) => text !== '');
  return { message, detail, buttons: await labelsOf(buttonsOf(window)) };
}

export const waitForDialog = (window: Window): Promise<Dialog> =>
  until('a dialog is open', () => dialog(window));

/** Presses a button of the open dialog and waits until that dialog is gone. */
export async function pressDialog(window: Window, button: Name): Promise<void> {
  await waitForDialog(window);
  const element = await (await named('button', buttonsOf(window), button)).elementHandle();
  await element.click();
  await element.waitForElementState('hidden');
}
