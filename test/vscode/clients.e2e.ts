import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pressDialog, waitForDialog } from './harness/dialogs.js';
import { activeEditor, closeEditors, tabs } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { openWalkthrough, walkthroughSteps } from './harness/pages.js';
import { runCommand } from './harness/palette.js';
import { pick, quickPickRows, waitForQuickInput } from './harness/quickInput.js';
import { useWorkbench } from './harness/suite.js';
import { waitForToast } from './harness/toasts.js';
import { until } from './harness/waiting.js';
import { inHost, screenshot } from './harness/window.js';

describe('other programs that use the memory', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const inHome = (...names: string[]) => join(shared.workbench.home, ...names);
  const json = (...names: string[]) =>
    JSON.parse(readFileSync(inHome(...names), 'utf8')) as Record<string, unknown>;
  const agree = async (button: string, message: RegExp) => {
    const { window } = shared;
    assert.match((await waitForDialog(window)).message, message);
    assert.ok((await tabs(window)).some(({ kind, active }) => kind === 'diff' && active));
    await pressDialog(window, button);
  };

  it('are connected after the exact change was shown, and the connection is tried out', async () => {
    const { window } = shared;
    writeFileSync(inHome('.claude.json'), '{\n  "numStartups": 7\n}\n');
    await runCommand(window, 'Subconscious: Connect a Client...');
    await waitForQuickInput(window, 'Connect a Client');
    assert.deepEqual(
      (await quickPickRows(window)).map(({ label }) => label.trim()),
      [
        'Claude Code',
        'Claude Code in this project',
        'Claude Desktop',
        'Cursor',
        'VS Code',
        'Another client: copy the configuration',
      ],
    );
    await screenshot(window, 'connect-list');
    await pick(window, /^\s*Claude Code$/);
    await waitForDialog(window);
    await screenshot(window, 'connect-change');
    await agree('Connect', /^Connect Claude Code to this memory\?/);
    const { message, buttons } = await waitForToast(
      window,
      /^Claude Code is connected: 8 tools, 0 memories/,
      30,
    );
    assert.deepEqual([message.includes('.'), buttons], [true, ['Add Guidance']]);
    await screenshot(window, 'connected');
    const { numStartups, mcpServers } = json('.claude.json');
    assert.equal(numStartups, 7);
    assert.match(
      (mcpServers as { subconscious: { command: string } }).subconscious.command,
      /\.subconscious-mcp\/bin\/subconscious-mcp$/,
    );
    assert.deepEqual(
      (await tabs(window)).map(({ kind }) => kind),
      [],
    );
  });

  it('are told when to use it, where that is wanted', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Add Guidance for Agents...');
    await waitForQuickInput(window, 'Add Guidance for Agents');
    await pick(window, /In CLAUDE\.md, for all/);
    await agree('Add', /^Add the guidance/);
    await until('it is written', () => existsSync(inHome('.claude', 'CLAUDE.md')));
    await runCommand(window, 'Subconscious: Remove Guidance for Agents...');
    await waitForQuickInput(window, 'Remove Guidance for Agents');
    await pick(window, /In CLAUDE\.md, for all/);
    await agree('Remove', /^Remove the guidance/);
    await until('it is gone', () => !existsSync(inHome('.claude', 'CLAUDE.md')));
  });

  it('get the capture hooks, and lose them again', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Install Claude Code Hooks...');
    await waitForQuickInput(window, 'Install Claude Code Hooks');
    await pick(window, 'For all my projects');
    await agree('Install', /^Install the capture hooks/);
    await waitForToast(window, /^The hooks are installed/);
    assert.deepEqual(Object.keys(json('.claude', 'settings.json')['hooks'] as object).sort(), [
      'SessionEnd',
      'SessionStart',
      'Stop',
    ]);
    await runCommand(window, 'Subconscious: Remove Claude Code Hooks...');
    await waitForQuickInput(window, 'Remove Claude Code Hooks');
    await pick(window, 'For all my projects');
    await agree('Remove', /^Remove the capture hooks/);
    await waitForToast(window, /^The hooks are removed/);
    assert.equal(existsSync(inHome('.claude', 'settings.json')), false);
  });

  it('are looked after by the doctor, with links to what mends', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Run Doctor');
    const report = await until(
      'the report is open',
      async () => {
        const found = await activeEditor(window);
        return found?.text.startsWith('# Doctor') === true && found;
      },
      40,
    );
    assert.match(report.text, /^✓ server: /m);
    assert.match(report.text, /\[Look again\]/);
    const links = await inHost(
      window,
      async (api, uri) => {
        const found = await api.commands.executeCommand<{ target?: unknown }[]>(
          'vscode.executeLinkProvider',
          api.Uri.parse(uri),
        );
        return found.map(({ target }) => String(target)).filter((target) => target.startsWith('command:'));
      },
      report.uri,
    );
    assert.ok(
      links.some((link) => link.startsWith('command:subconscious.runDoctor')),
      links.join(),
    );
    await screenshot(window, 'doctor');
    await closeEditors(window);
  });

  it('are disconnected, and everything is as it was', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Disconnect a Client...');
    await waitForQuickInput(window, 'Disconnect a Client');
    await pick(window, 'Claude Code');
    await agree('Disconnect', /^Disconnect Claude Code/);
    await waitForToast(window, /^Claude Code is disconnected/);
    assert.equal(readFileSync(inHome('.claude.json'), 'utf8'), '{\n  "numStartups": 7\n}\n');
  });

  it('that are not in the list get the configuration by the clipboard', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Connect a Client...');
    await waitForQuickInput(window, 'Connect a Client');
    await pick(window, /Another client/);
    await waitForToast(window, /^The configuration is on the clipboard/);
    const text = await inHost(window, (api) => api.env.clipboard.readText(), undefined);
    assert.ok('subconscious' in (JSON.parse(text) as { mcpServers: object }).mcpServers);
  });

  it('are explained by a walkthrough that notices what was done', async () => {
    const { window } = shared;
    const steps = await openWalkthrough(window, 'subconscious.subconscious-mcp#start');
    assert.equal(steps.length, 4);
    await screenshot(window, 'walkthrough');
    await inHost(
      window,
      (api) => api.commands.executeCommand('workbench.view.extension.subconscious'),
      undefined,
    );
    await until('the first step is done', async () => (await walkthroughSteps(window))[0]?.done);
    await closeEditors(window);
  });
});
