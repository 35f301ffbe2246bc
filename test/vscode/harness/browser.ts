import { join } from 'node:path';
import { chromium, type BrowserContext } from 'playwright-core';
import { findBrowser } from './places.js';
import type { WorkbenchPlace } from './workbenchPlace.js';

const FLAGS = [
  // The tests may run as root, in a container.
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--force-color-profile=srgb',
];

/** In milliseconds: how long a click waits for its target. */
const ACTION_TIME = 10_000;

/** A browser without a history, with the place's environment. */
export async function startBrowser({ root, env }: WorkbenchPlace): Promise<BrowserContext> {
  const executablePath = findBrowser();
  if (executablePath === undefined)
    throw new Error('No Chromium on PATH. Run: npx tsx test/vscode/install.ts');
  const context = await chromium.launchPersistentContext(join(root, 'browser'), {
    executablePath,
    headless: true,
    viewport: { width: 1280, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
    args: FLAGS,
    env,
    // The tests' own handlers close it, together with everything else.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  context.setDefaultTimeout(ACTION_TIME);
  return context;
}
