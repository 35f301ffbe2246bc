import { accept, cancel, fill, movesTo, quickInput, quickPickRows } from './quickInput.js';
import { until } from './waiting.js';
import type { Window } from './window.js';

/** How long the input may take to be ready, in milliseconds. */
const READY = 1000;

/** False where the palette had to be opened or filled first: one that is just being closed looks like an open one. */
async function paletteSays(window: Window, text: string): Promise<boolean> {
  const value = (await quickInput(window))?.value ?? '';
  if (value === `>${text}`) return true;
  if (value.startsWith('>')) await fill(window, `>${text}`, READY);
  else await window.page.keyboard.press('F1');
  return false;
}

/** Titles of the commands the palette offers under a category. */
export async function paletteCommands(window: Window, category: string): Promise<string[]> {
  await until('the command palette is open', () => paletteSays(window, `${category}: `));
  const labels = (await quickPickRows(window)).map(({ label }) => label);
  await cancel(window);
  return labels.filter((label) => label.startsWith(`${category}: `));
}

/** Runs a command by its full title (`Category: Title`), without waiting for its end. */
export async function runCommand(window: Window, title: string): Promise<void> {
  await until(
    `the command palette offers ${title}`,
    async () => (await paletteSays(window, title)) && (await movesTo(window, title)),
  );
  await accept(window);
}
