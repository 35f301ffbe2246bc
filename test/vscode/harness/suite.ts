import { after, afterEach, before } from 'node:test';
import type { WorkbenchOptions } from './workbenchPlace.js';
import { Workbench } from './workbench.js';
import { screenshot, type Window } from './window.js';

/** The workbench that the tests of one `describe` share, and its first window. */
export interface SharedWorkbench {
  readonly workbench: Workbench;
  readonly window: Window;
}

/** How long it may take to start the editor, and to end it, in milliseconds. */
const TIME = 90_000;

/**
 * Starts a workbench before the tests of the `describe` this is called in, and ends it after them. A test that fails
 * leaves a picture of the window among the screenshots, and what the extension has logged in the output.
 */
export function useWorkbench(options: () => WorkbenchOptions): SharedWorkbench {
  let running: Workbench | undefined;
  const shared = {
    get workbench(): Workbench {
      if (running === undefined) throw new Error('the workbench runs during tests only');
      return running;
    },
    get window(): Window {
      return this.workbench.window;
    },
  };
  before(async () => (running = await Workbench.start(options())), { timeout: TIME });
  afterEach(async (context) => {
    if (!('fullName' in context) || running === undefined) return;
    // Known to Node's test runner, not yet to its types.
    if ((context as { readonly passed?: boolean }).passed !== false) return;
    const name = `failed ${context.fullName}`.replaceAll(/[^\w]+/g, '-').slice(0, 150);
    console.log(`picture: ${await screenshot(running.window, name).catch(String)}`);
    console.log(running.extensionLog().slice(-40).join('\n'));
    // What it left open must not make the next one fail.
    for (let press = 0; press < 3; press += 1) await running.window.page.keyboard.press('Escape');
  });
  after(
    async () => {
      for (const { command } of (await running?.close()) ?? [])
        console.log(`outlived the editor: ${command}`);
    },
    { timeout: TIME },
  );
  return shared;
}
