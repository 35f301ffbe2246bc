import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { activeEditor, closeEditors, openDocument } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { runCommand } from './harness/palette.js';
import { accept, fill, pick, quickInput, quickPickRows, waitForQuickInput } from './harness/quickInput.js';
import { useWorkbench } from './harness/suite.js';
import { pressToast, waitForToast } from './harness/toasts.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { inHost, reload, screenshot } from './harness/window.js';
import { OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const VIEW = 'Memories';

describe('commands', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { shows } = rowsOf(shared, VIEW);
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
  });
  after(() => other.close());

  const openFile = async (name: string, text: string) => {
    const { window, workbench } = shared;
    const file = join(workbench.folder ?? '', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    await openDocument(window, await inHost(window, (api, path) => api.Uri.file(path).toString(), file));
    await until('the file is open', async () => (await activeEditor(window))?.text === text);
  };

  it('remember what is selected, under a task the user may word', async () => {
    const { window } = shared;
    await openFile('日本語/build notes.sh', '# Build the documentation\nmake html\n');
    await window.page.keyboard.press('Control+a');
    await runCommand(window, 'Subconscious: Remember Selection...');
    const input = await waitForQuickInput(window, 'Remember Selection');
    assert.equal(input.value, 'Build the documentation');
    await fill(window, '');
    await until('an empty task is refused', async () =>
      (await quickInput(window))?.message.includes('one sentence'),
    );
    await fill(window, 'Build the documentation: 日本語');
    await accept(window);
    await waitForToast(window, 'Remembered "Build the documentation: 日本語".');
    const { entries } = (await other.call('list')) as { entries: { entry_id: string; tags: string[] }[] };
    const [stored] = entries;
    assert.deepEqual(stored?.tags, ['shellscript', 'build notes.sh']);
    assert.equal(
      (await other.call('get_entry', { entry_id: stored.entry_id }))['answer'],
      '# Build the documentation\nmake html\n',
    );
    await pressToast(window, /^Remembered/, 'Undo');
    await until(
      'it is forgotten again',
      async () => ((await other.call('list')) as { total: number }).total === 0,
    );
    await closeEditors(window);
  });

  it('show the task as text, never as a link that runs a command', async () => {
    const { window } = shared;
    const task = 'Read [the docs](command:workbench.action.toggleZenMode)';
    await openFile('docs.txt', 'In docs/.\n');
    await window.page.keyboard.press('Control+a');
    await runCommand(window, 'Subconscious: Remember Selection...');
    await waitForQuickInput(window, 'Remember Selection');
    await fill(window, task);
    await accept(window);
    const { message } = await waitForToast(window, /^Remembered "Read/);
    assert.equal(message, 'Remembered "Read [the docs] (command:workbench.action.toggleZenMode)".');
    await pressToast(window, /^Remembered "Read/, 'Undo');
    await until(
      'it is forgotten again',
      async () => ((await other.call('list')) as { total: number }).total === 0,
    );
    await closeEditors(window);
  });

  it('say what to do where nothing is selected', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Remember Selection...');
    await waitForToast(window, /^Nothing is selected\. Select the text/);
  });

  it('put an answer into the editor one came from', async () => {
    const { window } = shared;
    await other.remember('Lint the shell scripts', 'shellcheck **/*.sh', ['shell']);
    await openFile('ci.sh', 'set -e\n');
    await window.page.keyboard.press('Control+End');
    await runCommand(window, 'Subconscious: Recall...');
    await waitForQuickInput(window, 'Recall');
    await fill(window, 'check all shell scripts');
    await until('it is found, with its answer', async () => {
      const [first] = await quickPickRows(window);
      return first?.label.includes('Lint the shell scripts') === true && first.detail.includes('shellcheck');
    });
    await pick(window, /Lint the shell scripts/);
    await until(
      'it is in the editor',
      async () => (await activeEditor(window))?.text === 'set -e\nshellcheck **/*.sh',
    );
    await closeEditors(window);
  });

  it('say so where what was found is gone when it is chosen', async () => {
    const { window } = shared;
    const id = await other.remember('Translate the handbook', 'make handbook');
    await runCommand(window, 'Subconscious: Recall...');
    await waitForQuickInput(window, 'Recall');
    await fill(window, 'translate the handbook');
    await until('it is found', async () =>
      (await quickPickRows(window))[0]?.label.includes('Translate the handbook'),
    );
    await other.call('forget_entries', { entry_ids: [id] });
    await other.call('empty_trash');
    await pick(window, /Translate the handbook/);
    await waitForToast(window, /^No entry .* removed for good/);
  });

  it('choose the project by name, for this workspace and until it is chosen anew', async () => {
    const { window } = shared;
    await views.openActivity(window, 'Subconscious');
    await shows('Lint the shell scripts');
    await runCommand(window, 'Subconscious: Choose Project...');
    await waitForQuickInput(window, 'Choose Project');
    await screenshot(window, 'choose-project');
    await pick(window, /Another name/);
    await until('a name is asked for', async () => (await quickInput(window))?.value === '');
    await fill(window, 'platform');
    await accept(window);
    await until('the other project is no longer this one', async () =>
      (await views.rows(window, VIEW)).every(({ description }) => !description.includes('this project')),
    );
    await reload(window);
    await views.openActivity(window, 'Subconscious');
    await until('it is still another one', async () => {
      const rows = await views.rows(window, VIEW);
      return rows.length > 0 && rows.every(({ description }) => !description.includes('this project'));
    });
    await runCommand(window, 'Subconscious: Choose Project...');
    await waitForQuickInput(window, 'Choose Project');
    await pick(window, /^\s*folder$/);
    await until('the folder is the project again', async () =>
      (await views.rows(window, VIEW)).some(({ description }) => description.includes('this project')),
    );
  });
});
