import { isCalled, named, type Name } from './names.js';
import type { Toast } from './toastRecorder.js';
import { until } from './waiting.js';
import { execute, type Window } from './window.js';

/** Every notification since the window was loaded or `clearToasts`, also those that are gone. */
export function toasts({ page }: Window): Promise<Toast[]> {
  return page.evaluate(() => (globalThis as unknown as { readonly recordedToasts: Toast[] }).recordedToasts);
}

/** Waits for a notification and takes it out of `toasts`: the next call waits for another one. */
export function waitForToast({ page }: Window, message: Name, seconds = 40): Promise<Toast> {
  return until(
    `there is a notification ${String(message)}`,
    async () => {
      const all = await toasts({ page } as Window);
      const index = all.findIndex((toast) => isCalled(toast.message, message));
      return index < 0 ? undefined : page.evaluate(takeToast, index);
    },
    seconds,
  );
}

const takeToast = (index: number) =>
  (globalThis as unknown as { readonly recordedToasts: Toast[] }).recordedToasts.splice(index, 1)[0];

/** Presses a button of a notification that is still shown. */
export async function pressToast(window: Window, message: Name, button: Name): Promise<void> {
  const items = window.page.locator('.notifications-toasts .notification-list-item');
  const messages = items.locator('.notification-list-item-message');
  await until('the notification is shown', async () =>
    (await messages.allInnerTexts()).some((text) => isCalled(text, message)),
  );
  const texts = await messages.allInnerTexts();
  const item = items.nth(texts.findIndex((text) => isCalled(text, message)));
  await item.hover();
  await (
    await named('button', item.locator('.notification-list-item-buttons-container .monaco-button'), button)
  ).click();
}

/** Closes all notifications and forgets them. */
export async function clearToasts(window: Window): Promise<void> {
  await execute(window, 'notifications.clearAll');
  await window.page.evaluate(() => {
    (globalThis as unknown as { readonly recordedToasts: Toast[] }).recordedToasts.length = 0;
  });
}
