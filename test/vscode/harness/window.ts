import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type * as vscode from 'vscode';
import type { ExtensionHost, HostListener } from './extensionHost.js';
import { SHOTS } from './places.js';
import { kill } from './processes.js';
import { THEMES, type Settings, type Theme } from './settings.js';
import { recordToasts } from './toastRecorder.js';

/** One window. What a person sees and presses in it is in the modules beside this one. */
export interface Window {
  readonly page: Page;
  /** Changes when the window is reloaded. */
  host: ExtensionHost;
  readonly hosts: HostListener;
}

interface NewWindow {
  readonly page: Page;
  readonly hosts: HostListener;
  readonly address: string;
  readonly folder: string | undefined;
}

/** Loads the workbench into an empty page. */
export async function openWindow({ page, hosts, address, folder }: NewWindow): Promise<Window> {
  const query = new URLSearchParams(folder === undefined ? { ew: 'true' } : { folder });
  query.set('payload', JSON.stringify([['skipWelcome', 'true']]));
  // tsx wraps inner functions in a call of __name; a string is left alone.
  await page.addInitScript('globalThis.__name = (body) => body');
  await page.addInitScript(recordToasts);
  const host = await hosts.startedBy(async () => {
    await page.goto(`http://${address}/?${String(query)}`, { waitUntil: 'domcontentloaded' });
    await workbenchIsShown(page);
  });
  return { page, hosts, host };
}

/** In milliseconds. */
const LOADING_TIME = 60_000;

const workbenchIsShown = (page: Page) =>
  page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: LOADING_TIME });

export async function reload(window: Window): Promise<void> {
  window.host = await window.hosts.startedBy(async () => {
    await window.page.reload({ waitUntil: 'domcontentloaded' });
    await workbenchIsShown(window.page);
  });
}

/** As a crash would. The editor starts another one by itself, three times in five minutes at most. */
export async function killExtensionHost(window: Window): Promise<void> {
  window.host = await window.hosts.startedBy(() => {
    kill(window.host.pid, 'SIGKILL');
    return Promise.resolve();
  });
}

/** Runs a command by its identifier and gives its result. Do not await one that asks something. */
export function execute(window: Window, command: string, ...args: readonly unknown[]): Promise<unknown> {
  return inHost(window, (api, call) => api.commands.executeCommand(call.command, ...call.args), {
    command,
    args,
  });
}

/** Runs `script` in the window's extension host; see `ExtensionHost.run`. */
export function inHost<A, R>(
  window: Window,
  script: (api: typeof vscode, argument: A) => R | Thenable<R>,
  argument: A,
): Promise<R> {
  return window.host.run(script, argument);
}

/** Changes the user's settings; a file written from outside is not noticed. null takes a setting away. */
export async function changeSettings(window: Window, settings: Settings): Promise<void> {
  await inHost(
    window,
    async (api, changes) => {
      for (const [name, value] of Object.entries(changes)) {
        await api.workspace
          .getConfiguration()
          .update(name, value ?? undefined, api.ConfigurationTarget.Global);
      }
    },
    settings,
  );
}

export async function setTheme(window: Window, theme: Theme): Promise<void> {
  await changeSettings(window, { 'workbench.colorTheme': THEMES[theme].name });
  await window.page.locator(`.monaco-workbench.${THEMES[theme].className}`).waitFor();
}

/** Writes a picture of the window into the folder of screenshots, and gives its path. */
export async function screenshot(window: Window, name: string): Promise<string> {
  mkdirSync(SHOTS, { recursive: true });
  const path = join(SHOTS, `${name}.png`);
  // What fades in or out is done with it.
  await window.page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ playState }) => playState === 'running')
        .map(({ finished }) => Promise.race([finished, new Promise((resolve) => setTimeout(resolve, 1000))])),
    ),
  );
  await window.page.screenshot({ path });
  return path;
}
