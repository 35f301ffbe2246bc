import { accept, cancel, fill, focusRow, quickInput, quickPickRows } from './quickInput.js';
import { until } from './waiting.js';
import type { Window } from './window.js';

/** How long the input may take to be ready, in milliseconds. */
const READY = 1000;

async function openPalette(window: Window, text: string): Promise<void> {
  await until('the command palette is open', async () => {
    // One that is just being closed looks like an open one.
    if ((await quickInput(window))?.value.startsWith('>') === true) {
      await fill(window, `>${text}`, READY);
      return true;
    }
    await window.page.keyboard.press('F1');
    return undefined;
  });
}

/** Titles of the commands the palette offers under a category. */
export async function paletteCommands(window: Window, category: string): Promise<string[]> {
  await openPalette(window, `${category}: `);
  const labels = (await quickPickRows(window)).map(({ label }) => label);
  await cancel(window);
  return labels.filter((label) => label.startsWith(`${category}: `));
}

/** Runs a command by its full title (`Category: Title`), without waiting for its end. */
export async function runCommand(window: Window, title: string): Promise<void> {
  await openPalette(window, title);
  await focusRow(window, title);
  await accept(window);
}
