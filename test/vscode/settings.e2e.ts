import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import { extensionVsix } from './harness/packaging.js';
import { closePanel } from './harness/output.js';
import { runCommand } from './harness/palette.js';
import { quickPickRows, waitForQuickInput } from './harness/quickInput.js';
import { useWorkbench } from './harness/suite.js';
import { clearToasts, pressToast, toasts, waitForToast } from './harness/toasts.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { changeSettings, execute, screenshot } from './harness/window.js';
import { OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const VIEW = 'Memories';
const FILE = 'subconscious.configurationFile';
const TASK = 'Build the documentation';

describe('a setting', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { shows } = rowsOf(shared, VIEW);
  const errors = async () =>
    (await toasts(shared.window))
      .filter(({ severity }) => severity === 'error')
      .map(({ message }) => message);
  const logged = (words: string) =>
    until(`it is in the log: ${words}`, () =>
      shared.workbench.extensionLog().some((line) => line.includes('[error]') && line.includes(words)),
    );
  before(async () => {
    const other = await OtherClient.start(shared.workbench);
    await other.remember(TASK, 'make html');
    await other.close();
    await views.openActivity(shared.window, 'Subconscious');
    await shows(TASK);
  });
  afterEach(() => clearToasts(shared.window));

  for (const [name, value, words] of [
    [
      FILE,
      5,
      /^Subconscious: The setting "subconscious.configurationFile" has to be the absolute path of a file, in quotes\. It is 5\. Correct it, or remove it for the default\.$/,
    ],
    [FILE, 'memory.json', /the absolute path of a file, in quotes\. It is "memory.json"\./],
    ['subconscious.recallThreshold', '0.9', /a number from 0 to 1, or null\. It is "0\.9"\./],
    ['subconscious.agentMode.enabled', 'yes', /true or false\. It is "yes"\./],
  ] as const) {
    it(`${name} that is ${JSON.stringify(value)} is told, and the memory comes back once it is corrected`, async () => {
      const { window } = shared;
      await changeSettings(window, { [name]: value });
      const toast = await waitForToast(window, words);
      assert.deepEqual([toast.severity, toast.buttons], ['error', ['Show Log', 'Open Settings']]);
      const { text } = await until('the view says it', () => views.welcome(window, VIEW));
      assert.match(text, /^The memory server could not be started/);
      await screenshot(window, 'setting-wrong');
      await changeSettings(window, { [name]: null });
      await shows(TASK);
      assert.deepEqual(await errors(), []);
    });
  }

  it('that is typed letter by letter is one message', async () => {
    const { window } = shared;
    const file = '/nowhere/memory.json';
    for (let length = 1; length <= file.length; length += 1)
      await changeSettings(window, { [FILE]: file.slice(0, length) });
    await logged(`${file} `);
    await until('it is told', async () => (await errors()).length > 0);
    assert.equal((await errors()).length, 1);
    await changeSettings(window, { [FILE]: null });
    await shows(TASK);
  });

  it('that is wrong in another way is told when the first message is closed', async () => {
    const { window } = shared;
    for (const file of ['/nowhere/a.json', '/nowhere/b.json']) {
      await changeSettings(window, { [FILE]: file });
      await logged(`${file} `);
    }
    const [message, ...others] = await errors();
    assert.match(message ?? '', /a\.json/);
    assert.deepEqual(others, []);
    await pressToast(window, /a\.json/, 'Show Log');
    await waitForToast(window, /b\.json/);
    await closePanel(window);
    await changeSettings(window, { [FILE]: null });
    await shows(TASK);
  });

  it('of agents starts no other server for the window', async () => {
    const { window, workbench } = shared;
    const starts = () =>
      workbench.extensionLog().filter((line) => line.includes('Starting the memory server')).length;
    const before = starts();
    await changeSettings(window, { 'subconscious.agentMode.enabled': false });
    await changeSettings(window, {
      'subconscious.agentMode.enabled': null,
      'subconscious.recallThreshold': 0.5,
    });
    await until('another server is started for the threshold', () => starts() > before);
    await shows(TASK);
    assert.equal(starts(), before + 1);
    await changeSettings(window, { 'subconscious.recallThreshold': null });
  });
});

describe('a window without a folder', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()], folder: null }));
  const offered = async (command: string) => {
    const { window } = shared;
    await runCommand(window, `Subconscious: ${command}...`);
    await waitForQuickInput(window, command);
    const labels = (await quickPickRows(window)).map(({ label }) => label.trim());
    await window.page.keyboard.press('Escape');
    return labels;
  };

  it('offers nothing for a project', async () => {
    assert.deepEqual(await offered('Install Claude Code Hooks'), ['For all my projects']);
    assert.deepEqual(await offered('Remove Claude Code Hooks'), ['For all my projects']);
    assert.deepEqual(await offered('Add Guidance for Agents'), [
      'In CLAUDE.md, for all my projects',
      'As a skill, for all my projects',
    ]);
    assert.ok(!(await offered('Connect a Client')).includes('Claude Code in this project'));
  });

  it('loads no more rows where a command is given without one, and says nothing', async () => {
    const { window } = shared;
    await execute(window, 'subconscious.loadMore');
    assert.deepEqual(await toasts(window), []);
  });
});

describe('a storage directory that is a file', () => {
  const shared = useWorkbench(() => {
    const storage = join(mkdtempSync(join(tmpdir(), 'storage-')), 'memory');
    writeFileSync(storage, '');
    return { vsix: [extensionVsix()], env: { SUBCONSCIOUS_STORAGE_DIR: storage } };
  });

  it('is told with what to do', async () => {
    const { window } = shared;
    await views.openActivity(window, 'Subconscious');
    await waitForToast(
      window,
      /^The memory server of Subconscious could not be started: .* it is a file, not a folder\. Make it a folder/,
    );
    const { buttons } = await until('the view says it', () => views.welcome(window, VIEW));
    assert.deepEqual(buttons, ['Restart Server']);
  });
});

describe('a storage directory that can only be read', () => {
  // For everybody, also for root.
  const storage = '/proc/sys';
  const shared = useWorkbench(() => ({
    vsix: [extensionVsix()],
    env: { SUBCONSCIOUS_STORAGE_DIR: storage },
  }));

  it('is told above the memories, with what to do, and is no failure', async () => {
    const { window } = shared;
    await views.openActivity(window, 'Subconscious');
    const pane = await views.pane(window, VIEW);
    const text = await until('the view says it', async () => {
      const found = await pane.locator('.message').innerText();
      return found.startsWith(storage) && found;
    });
    assert.match(
      text,
      /^\/proc\/sys can only be read, .* nothing can be added or forgotten\. Mend that and start again\.$/,
    );
    await screenshot(window, 'storage-read-only');
    assert.deepEqual(await toasts(window), []);
  });
});
