import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { activeEditor, closeEditors } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { paletteCommands, runCommand } from './harness/palette.js';
import { useWorkbench } from './harness/suite.js';
import { closePanel, outputText } from './harness/output.js';
import { clearToasts, pressToast, toasts, waitForToast } from './harness/toasts.js';
import { clickRow, contextMenu } from './harness/treeRows.js';
import { closeMenu } from './harness/menus.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { execute, inHost, screenshot } from './harness/window.js';
import { OtherClient } from './otherClient.js';

describe('a folder that is not trusted', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()], trusted: false }));
  const VIEW = 'Memories';

  it('shows memories for reading, and changes nothing', async () => {
    const { window, workbench } = shared;
    const other = await OtherClient.start(workbench);
    const id = await other.remember('Read me', 'An answer', []);
    await views.openActivity(window, 'Subconscious');
    await until('the row is there', async () =>
      (await views.rows(window, VIEW)).some(({ label }) => label === 'Read me'),
    );
    const menu = (await contextMenu(window, VIEW, 'Read me')).map(({ label }) => label);
    await closeMenu(window);
    assert.ok(menu.includes('Copy Answer'));
    await clickRow(window, VIEW, 'Read me');
    await until('the document is open', async () => (await activeEditor(window))?.text.includes('An answer'));
    const writable = await inHost(
      window,
      (api) =>
        api.workspace.fs.isWritableFileSystem('subconscious') === true &&
        api.window.activeTextEditor !== undefined,
      undefined,
    );
    assert.equal(writable, true);
    await window.page.keyboard.press('Control+a');
    await window.page.keyboard.insertText('changed');
    assert.equal(
      (await activeEditor(window))?.text.includes('An answer'),
      true,
      'it can be read, not changed',
    );
    await screenshot(window, 'untrusted');
    await closeEditors(window);
    // By name, as a keybinding or another extension would.
    await execute(window, 'subconscious.connectClient').catch(() => undefined);
    assert.equal((await other.call('get_entry', { entry_id: id }))['answer'], 'An answer');
    const commands = await paletteCommands(window, 'Subconscious');
    assert.ok(
      !commands.includes('Subconscious: Remember Selection...') &&
        commands.includes('Subconscious: Search Memories...'),
    );
    await other.close();
  });
});

describe('a server that cannot start', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));

  it('is one message with a way to the log, and comes back when it is asked again', async () => {
    const { window, workbench } = shared;
    const folder = join(workbench.home, '.subconscious-mcp');
    mkdirSync(folder, { recursive: true });
    const config = join(folder, 'config.json');
    writeFileSync(config, '{ "default_threshold": "high" }');
    chmodSync(config, 0o600);
    await views.openActivity(window, 'Subconscious');
    const toast = await waitForToast(
      window,
      /^The memory server of Subconscious could not be started: default_threshold is "high"/,
      20,
    );
    assert.deepEqual([toast.severity, toast.buttons], ['error', ['Show Log', 'Restart Server']]);
    const welcome = await until('the view says so', async () => {
      const found = await views.welcome(window, 'Memories');
      return found?.text.startsWith('The memory server could not be started') === true && found;
    });
    assert.deepEqual(welcome.buttons, ['Restart Server']);
    await pressToast(window, /^The memory server/, 'Show Log');
    await until('the log says why', async () =>
      (await outputText(window)).includes('default_threshold is "high"'),
    );
    await closePanel(window);
    await screenshot(window, 'failure');
    await runCommand(window, 'Subconscious: Open Memory...');
    await window.page.keyboard.press('Escape');
    assert.deepEqual(
      (await toasts(window)).map(({ message }) => message),
      [],
      'said once',
    );
    writeFileSync(config, '{}');
    await clearToasts(window);
    await views.pressWelcome(window, 'Memories', 'Restart Server');
    await until('it is there again', async () =>
      (await views.welcome(window, 'Memories'))?.text.startsWith('Nothing is remembered yet'),
    );
  });
});
