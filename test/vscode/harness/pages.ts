// The editor's own pages about an extension: settings, walkthrough, running extensions.
import { readWhole } from './list.js';
import { settled, until } from './waiting.js';
import { execute, type Window } from './window.js';

export interface SettingRow {
  readonly category: string;
  readonly label: string;
  readonly description: string;
  readonly control: 'choice' | 'switch' | 'number' | 'text' | 'other';
}

/** Opens the settings with a query (`@ext:publisher.name`) and reads them. */
export async function settingRows(window: Window, query: string): Promise<SettingRow[]> {
  await execute(window, 'workbench.action.openSettings', query);
  await window.page.locator('.settings-editor .setting-item-contents').first().waitFor();
  const list = window.page.locator('.settings-editor .settings-tree-container .monaco-list').first();
  return settled('the list of settings', () =>
    readWhole(list, readSettings, ({ category, label }) => `${category} ${label}`),
  );
}

function readSettings(list: Element): SettingRow[] {
  const controlOf = (item: Element) => {
    const has = (selector: string) => item.querySelector(selector) !== null;
    if (has('select')) return 'choice';
    if (has('.monaco-custom-toggle, .setting-value-checkbox')) return 'switch';
    if (has('input[type=number]')) return 'number';
    return has('input, textarea') ? 'text' : 'other';
  };
  return [...list.querySelectorAll('.setting-item-contents')].flatMap((item) => {
    const text = (selector: string) => item.querySelector<HTMLElement>(selector)?.innerText.trim() ?? '';
    const label = text('.setting-item-label');
    if (label === '') return [];
    const category = text('.setting-item-category').replace(/:$/, '');
    return [{ category, label, description: text('.setting-item-description'), control: controlOf(item) }];
  });
}

export interface WalkthroughStep {
  readonly title: string;
  readonly text: string;
  readonly buttons: readonly string[];
  readonly done: boolean;
}

/** Opens a walkthrough (`publisher.name#id`); its open step shows its text and buttons. */
export async function openWalkthrough(window: Window, id: string): Promise<WalkthroughStep[]> {
  await execute(window, 'workbench.action.openWalkthrough', id, false);
  await window.page.locator('.gettingStartedContainer .getting-started-step').first().waitFor();
  return settled('the walkthrough', () => walkthroughSteps(window));
}

/** The steps of the open walkthrough. */
export function walkthroughSteps({ page }: Window): Promise<WalkthroughStep[]> {
  return page.locator('.gettingStartedContainer .getting-started-step').evaluateAll((steps) =>
    steps.map((step) => ({
      title: step.querySelector('.step-title')?.textContent.trim() ?? '',
      text: step.querySelector<HTMLElement>('.step-description-container')?.innerText.trim() ?? '',
      buttons: [...step.querySelectorAll('.monaco-button')].map((button) => button.textContent.trim()),
      done: step.querySelector('.codicon-getting-started-step-checked') !== null,
    })),
  );
}

/** How long the editor says the activation of an extension took, in milliseconds. Leaves the page open. */
export async function activationTime(window: Window, displayName: string): Promise<number> {
  await execute(window, 'workbench.action.showRuntimeExtensions');
  const list = window.page.locator('.runtime-extensions-editor .monaco-list').first();
  await list.waitFor();
  const row = await until(`${displayName} is a running extension`, async () =>
    (await readWhole(list, readActivations, ({ name }) => name)).find(({ name }) => name === displayName),
  );
  const time = /(\d+)\s*ms/.exec(row.activation)?.[1];
  if (time === undefined) throw new Error(`${displayName} has not been activated: ${row.activation}`);
  return Number(time);
}

const readActivations = (list: Element) =>
  [...list.querySelectorAll('.monaco-list-row')].map((row) => ({
    name: row.querySelector('.name')?.textContent.trim() ?? '',
    activation: row.querySelector('.activation-time')?.textContent.trim() ?? '',
  }));
