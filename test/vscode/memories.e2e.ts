import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pressDialog, waitForDialog } from './harness/dialogs.js';
import { activeEditor, closeEditors, replaceText, save, tabs } from './harness/editors.js';
import { invokeTool, mcpServers, startMcpServers } from './harness/mcp.js';
import { pressMenuItem } from './harness/menus.js';
import { extensionVsix } from './harness/packaging.js';
import { activationTime, settingRows } from './harness/pages.js';
import { paletteCommands, runCommand } from './harness/palette.js';
import { kill } from './harness/processes.js';
import { accept, fill, pick, quickPickRows, waitForQuickInput } from './harness/quickInput.js';
import { useWorkbench } from './harness/suite.js';
import { pressToast, toasts, waitForToast } from './harness/toasts.js';
import { clickRow, contextMenu, expand, pressInline, selectRows } from './harness/treeRows.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { changeSettings, execute, inHost, killExtensionHost, screenshot } from './harness/window.js';
import { PALETTE_COMMANDS } from '../../src/extension/contributions.js';
import { hostOf, OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';
import packageNls from '../../package.nls.json' with { type: 'json' };

const VIEW = 'Memories';
const TASK = 'Rotate the signing keys of the release pipeline';

describe('memories in the sidebar', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { shows, hides } = rowsOf(shared, VIEW);
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
  });
  after(() => other.close());

  it('activates in little time, and has its settings', async () => {
    const { window } = shared;
    // Those of the machine are on another page here.
    const settings = await settingRows(window, '@ext:subconscious.subconscious-mcp');
    assert.deepEqual(
      settings.map(({ label }) => label),
      ['Enabled'],
    );
    await closeEditors(window);
    console.log(
      `the editor says that activation took ${await activationTime(window, 'Subconscious: memory for coding agents')} ms`,
    );
    console.log(
      shared.workbench
        .extensionLog()
        .filter((line) => line.includes('Activated in'))
        .join('\n'),
    );
    await closeEditors(window);
  });

  it('starts nothing before somebody asks', () => {
    const own = shared.workbench.processes().filter(({ command }) => command.includes('subconscious-mcp'));
    assert.deepEqual(
      own.filter(({ command }) => command.includes('server.js')),
      [],
    );
  });

  it('has every command in the palette', async () => {
    const titles = PALETTE_COMMANDS.map((name) => `Subconscious: ${packageNls[`command.${name}`]}`);
    const found = await paletteCommands(shared.window, 'Subconscious');
    const ours = found.filter((title) => !/: Focus on /.test(title));
    assert.deepEqual(ours.sort(), titles.sort());
  });

  it('says what to do while nothing is remembered', async () => {
    const { window } = shared;
    await views.openActivity(window, 'Subconscious');
    const welcome = await until('the welcome text is shown', () => views.welcome(window, VIEW));
    assert.match(welcome.text, /^Nothing is remembered yet/);
    assert.deepEqual(welcome.buttons, ['Connect a Client']);
    await screenshot(window, 'memories-empty');
  });

  it('gives agents in this editor the memory tools, and shows what they store', async () => {
    const { window } = shared;
    const servers = await mcpServers(window);
    assert.deepEqual(
      servers.map(({ label }) => label),
      ['Subconscious'],
    );
    await startMcpServers(window, 'recall');
    const stored = await invokeTool(window, 'remember', {
      task: TASK,
      answer: 'Run `keys rotate --release`.\n\nThen restart the runner.',
      tags: ['release', 'keys'],
    });
    assert.equal(stored.asked.length, 1);
    await shows(TASK);
    const recalled = await invokeTool(window, 'recall', {
      task: 'rotate signing keys in the release pipeline',
    });
    assert.deepEqual(recalled.asked, []);
    const { hit, answer } = JSON.parse(recalled.text) as { hit: boolean; answer: string };
    assert.equal(hit, true);
    assert.match(answer, /keys rotate/);
    await until('its hit is counted', async () =>
      (await views.rows(window, VIEW)).some(
        ({ label, description }) => label === TASK && /1 hit$/.test(description),
      ),
    );
  });

  it('is not offered to agents where that is switched off', async () => {
    const { window } = shared;
    await changeSettings(window, { 'subconscious.agentMode.enabled': false });
    await until('it is not offered', async () => (await mcpServers(window)).length === 0);
    await changeSettings(window, { 'subconscious.agentMode.enabled': null });
    await until('it is offered again', async () => (await mcpServers(window)).length === 1);
  });

  it('shows what another client stores, within a second', async () => {
    await other.remember('Bake the base image', 'make image', ['images']);
    const begin = performance.now();
    await shows('Bake the base image');
    console.log(`a row of another client after ${(performance.now() - begin).toFixed(0)} ms`);
  });

  it('is edited as a document', async () => {
    const { window } = shared;
    await clickRow(window, VIEW, TASK);
    await until('the document is open', async () =>
      (await activeEditor(window))?.text.includes('keys rotate'),
    );
    const text = (await activeEditor(window))?.text ?? '';
    assert.match(text, /^---\n# .*\ntask: Rotate the signing keys/);
    await replaceText(
      window,
      text.replace('Rotate the signing keys', 'Renew the signing keys').replace('restart', 'drain'),
    );
    await save(window);
    await hides(TASK);
    await shows('Renew the signing keys of the release pipeline');
    const { results } = (await other.call('search', { query: 'drain the runner' })) as {
      results: { entry_id: string }[];
    };
    const entry = await other.call('get_entry', { entry_id: results[0]?.entry_id });
    assert.match(String(entry['answer']), /Then drain the runner/);
    await screenshot(window, 'memory-document');
  });

  it('keeps what stood there before, beside what is there now', async () => {
    const { window } = shared;
    await expand(window, VIEW, 'Renew the signing keys of the release pipeline');
    await shows(TASK);
    await clickRow(window, VIEW, TASK);
    await until('a comparison is open', async () =>
      (await tabs(window)).some(({ kind, active }) => kind === 'diff' && active),
    );
    await screenshot(window, 'memory-history');
    await closeEditors(window);
  });

  it('refuses to save over what another client changed meanwhile, until it is saved once more', async () => {
    const { window } = shared;
    const { entries } = (await other.call('list', { filter: 'bake' })) as { entries: { entry_id: string }[] };
    const id = entries[0]?.entry_id;
    await clickRow(window, VIEW, 'Bake the base image');
    await until('the document is open', async () =>
      (await activeEditor(window))?.text.includes('make image'),
    );
    await replaceText(
      window,
      ((await activeEditor(window))?.text ?? '').replace('make image', 'make image-a'),
    );
    // As many letters, so that the editor itself sees no other size.
    await other.call('update', { entry_id: id, answer: 'make IMAGE' });
    await save(window);
    const toast = await waitForToast(window, /Another client changed this memory/);
    assert.equal(toast.severity, 'error');
    assert.equal((await other.call('get_entry', { entry_id: id }))['answer'], 'make IMAGE');
    await save(window);
    await until(
      'it is saved',
      async () => (await other.call('get_entry', { entry_id: id }))['answer'] === 'make image-a',
    );
    await closeEditors(window);
  });

  it('keeps one version, not one for each letter, where the editor saves by itself', async () => {
    const { window } = shared;
    const id = await other.remember('Sign the installer', 'signtool sign');
    await shows('Sign the installer');
    await changeSettings(window, { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 50 });
    await clickRow(window, VIEW, 'Sign the installer');
    await until('the document is open', async () =>
      (await activeEditor(window))?.text.includes('signtool sign'),
    );
    await window.page.keyboard.press('Control+End');
    for (const added of [' /a', ' /b', ' /c']) {
      await window.page.keyboard.insertText(added);
      await until('it is saved', async () =>
        String((await other.call('get_entry', { entry_id: id }))['answer']).endsWith(added),
      );
    }
    const { history, answer } = await other.call('get_entry', { entry_id: id });
    assert.deepEqual([answer, (history as unknown[]).length], ['signtool sign /a /b /c', 1]);
    await changeSettings(window, { 'files.autoSave': 'off' });
    await closeEditors(window);
    await other.call('forget', { entry_id: id });
    await hides('Sign the installer');
  });

  it('says why a document cannot be saved, and loses nothing', async () => {
    const { window } = shared;
    await clickRow(window, VIEW, 'Bake the base image');
    await until('the document is open', async () =>
      (await activeEditor(window))?.text.includes('make image-a'),
    );
    const text = (await activeEditor(window))?.text ?? '';
    await replaceText(window, text.replace('scope: project', 'scope: everywhere'));
    await save(window);
    await waitForToast(window, /"scope" has to be project or global\. Nothing was saved/);
    assert.equal((await activeEditor(window))?.dirty, true);
    await closeEditors(window);
  });

  it('forgets several after one question, and takes that back', async () => {
    const { window } = shared;
    await other.remember('Lint the shell scripts', 'shellcheck **/*.sh');
    await shows('Lint the shell scripts');
    await selectRows(window, VIEW, ['Lint the shell scripts', 'Bake the base image']);
    await contextMenu(window, VIEW, 'Lint the shell scripts');
    await pressMenuItem(window, /^Forget/);
    assert.equal((await waitForDialog(window)).message, 'Forget 2 memories?');
    await pressDialog(window, 'Forget');
    await hides('Lint the shell scripts');
    await hides('Bake the base image');
    await pressToast(window, 'Forgot 2 memories.', 'Undo');
    await shows('Lint the shell scripts');
    await shows('Bake the base image');
  });

  it('restores from the trash and empties it', async () => {
    const { window } = shared;
    await pressInline(window, VIEW, 'Lint the shell scripts', /^Forget/);
    await pressDialog(window, 'Forget');
    await hides('Lint the shell scripts');
    await runCommand(window, 'Subconscious: Restore from Trash...');
    await waitForQuickInput(window, /Restore from Trash/);
    await fill(window, 'Lint');
    await window.page.locator('.quick-input-list .monaco-list-row').first().click();
    await accept(window);
    await shows('Lint the shell scripts');
    await runCommand(window, 'Subconscious: Empty Trash...');
    const { message } = await waitForDialog(window);
    assert.match(message, /^Delete the 2 entries in the trash for good\?/);
    await pressDialog(window, 'Delete');
    await waitForToast(window, 'The trash is empty now; 2 deleted.');
  });

  it('filters, and groups by tag or time', async () => {
    const { window } = shared;
    await views.pressTitleAction(window, VIEW, 'Filter Memories...');
    await waitForQuickInput(window, 'Filter Memories');
    await fill(window, 'SHELL lint');
    await accept(window);
    await hides('Bake the base image');
    await shows('Lint the shell scripts');
    await views.pressTitleAction(window, VIEW, 'Clear Filter');
    await shows('Bake the base image');
    await execute(window, 'subconscious.groupByTag');
    await shows('images');
    await shows('Without a tag');
    await execute(window, 'subconscious.groupByTime');
    await shows('Today');
  });

  it('finds while one types, and copies the answer', async () => {
    const { window } = shared;
    for (const command of ['Recall...', 'Search Memories...']) {
      await runCommand(window, `Subconscious: ${command}`);
      await waitForQuickInput(window, command === 'Recall...' ? 'Recall' : 'Search Memories');
      await fill(window, 'check shell scripts');
      await until('it is found', async () =>
        (await quickPickRows(window))[0]?.label.includes('Lint the shell scripts'),
      );
      await screenshot(window, command === 'Recall...' ? 'recall' : 'search');
      await pick(window, /Lint the shell scripts/);
      await until(
        'the answer is on the clipboard',
        async () =>
          (await inHost(window, (api) => api.env.clipboard.readText(), undefined)) === 'shellcheck **/*.sh',
      );
      await inHost(window, (api) => api.env.clipboard.writeText(''), undefined);
    }
  });

  it('recovers by itself when the host is killed', async () => {
    const { window, workbench } = shared;
    const pid = hostOf(workbench);
    assert.ok(pid !== undefined);
    kill(pid, 'SIGKILL');
    await other.remember('Warm the cache', 'curl -s localhost');
    await shows('Warm the cache');
    const next = hostOf(workbench);
    assert.ok(next !== undefined && next !== pid);
    assert.deepEqual(
      (await toasts(window)).filter(({ severity }) => severity === 'error'),
      [],
    );
  });

  it('comes back when the extension host is killed', async () => {
    const { window } = shared;
    await killExtensionHost(window);
    await shows('Warm the cache');
  });

  it('is seen by a second window', async () => {
    const second = await shared.workbench.openWindow();
    await views.openActivity(second, 'Subconscious');
    await until('the second window has the rows', async () =>
      (await views.rows(second, VIEW)).some(({ label }) => label === 'Warm the cache'),
    );
    await other.remember('Trim the logs', 'logrotate -f');
    for (const window of [shared.window, second]) {
      await until('the new row is there', async () =>
        (await views.rows(window, VIEW)).some(({ label }) => label === 'Trim the logs'),
      );
    }
    await second.page.close();
  });

  it('can be used with the keyboard alone, and names what it shows', async () => {
    const { window } = shared;
    const tree = await views.accessibility(window, VIEW);
    assert.match(tree, /treeitem "Warm the cache, .*"/);
  });
});
