export interface Toast {
  readonly message: string;
  readonly severity: string;
  readonly buttons: readonly string[];
}

/** Runs in the page before the workbench: keeps every notification that is ever shown in a corner. */
export function recordToasts(): void {
  const shown = new WeakMap<Element, string>();
  const toasts: Toast[] = [];
  Object.assign(globalThis, { recordedToasts: toasts });
  const text = (element: Element, selector: string) =>
    element.querySelector(selector)?.textContent.trim() ?? '';
  const look = () => {
    for (const item of document.querySelectorAll('.notifications-toasts .notification-list-item')) {
      const message = text(item, '.notification-list-item-message');
      if (message === '' || shown.get(item) === message) continue;
      shown.set(item, message);
      const icon = item.querySelector('.notification-list-item-icon')?.className ?? '';
      const buttons = item.querySelectorAll('.notification-list-item-buttons-container .monaco-button');
      toasts.push({
        message,
        severity: /codicon-(error|warning|info)/.exec(icon)?.[1] ?? '',
        buttons: [...buttons].map((button) => button.textContent.trim()).filter((label) => label !== ''),
      });
    }
  };
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true });
}
