import type { Locator } from 'playwright-core';

/** What something is called on the screen: exactly this text, or a pattern. */
export type Name = string | RegExp;

const squash = (text: string) => text.replace(/\s+/g, ' ').trim();

export const isCalled = (text: string, name: Name) =>
  typeof name === 'string' ? squash(text) === name : name.test(squash(text));

/** The one of several elements with this name. Throws with the names there are. */
export async function named(what: string, elements: Locator, name: Name): Promise<Locator> {
  const labels = await labelsOf(elements);
  const index = labels.findIndex((label) => isCalled(label, name));
  if (index < 0) throw new Error(`no ${what} ${String(name)}; there are: ${labels.join(' | ')}`);
  return elements.nth(index);
}

/** Texts of buttons; an icon is called by its label for screen readers. */
export async function labelsOf(elements: Locator): Promise<string[]> {
  const texts = await elements.evaluateAll((all) =>
    all.map((element) => element.textContent.trim() || (element.getAttribute('aria-label') ?? '')),
  );
  return texts.map(squash);
}
