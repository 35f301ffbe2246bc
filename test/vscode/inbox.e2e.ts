import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pressDialog, waitForDialog } from './harness/dialogs.js';
import { activeEditor, closeEditors, replaceText, save, tabs } from './harness/editors.js';
import { pressMenuItem } from './harness/menus.js';
import { extensionVsix } from './harness/packaging.js';
import { useWorkbench } from './harness/suite.js';
import { pressToast, waitForToast } from './harness/toasts.js';
import { contextMenu, expand, pressInline } from './harness/treeRows.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { changeSettings, screenshot } from './harness/window.js';
import { captureSession, OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const VIEW = 'Inbox';
const QUESTION = 'Why does the build fail on the arm runner?';

describe('the inbox', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { labels, shows, hides } = rowsOf(shared, VIEW);
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
  });
  after(() => other.close());

  it('fills with what sessions did, and counts them on the icon', async () => {
    const { window, workbench } = shared;
    await views.openActivity(window, 'Subconscious');
    await until('the welcome text is shown', () => views.welcome(window, VIEW));
    await captureSession(workbench, [
      [QUESTION, 'The image had no cross compiler; installed gcc-aarch64-linux-gnu.'],
      [
        'And which token did it use? <private>the one of Ann</private>',
        'export NPM_TOKEN=npm_abcdefghijklmnopqrstuvwxyz0123456789 was set in the job.',
      ],
    ]);
    await shows(QUESTION);
    assert.equal((await views.badge(window, 'Subconscious'))?.text, '1');
    const [row] = await views.rows(window, VIEW);
    assert.match(row?.description ?? '', /2 turns/);
    await screenshot(window, 'inbox');
  });

  it('shows the transcript, with what was masked marked as such', async () => {
    const { window } = shared;
    await expand(window, VIEW, QUESTION);
    await until('its turns are rows', async () => (await labels()).length === 3);
    assert.ok((await views.rows(window, VIEW)).some(({ description }) => /masked/.test(description)));
    await pressInline(window, VIEW, QUESTION, /^Open Transcript/);
    const editor = await until('the transcript is open', async () => {
      const found = await activeEditor(window);
      return found?.text.includes('cross compiler') === true && found;
    });
    assert.match(editor.text, /\[REDACTED:private\]/);
    assert.doesNotMatch(editor.text, /npm_abcdef|the one of Ann/);
    // The mark is drawn by the editor, with a border of dashes.
    await until('the masked part is marked', () =>
      window.page.locator('.view-overlays [class*="ced-"], .view-lines [class*="ced-"]').count(),
    );
    await screenshot(window, 'inbox-transcript');
    await closeEditors(window);
  });

  it('keeps a session by a draft that is saved', async () => {
    const { window } = shared;
    await pressInline(window, VIEW, QUESTION, /^Keep/);
    const draft = await until('the draft is open', async () => {
      const found = await activeEditor(window);
      return found?.text.includes('A draft: nothing is stored until you save it') === true && found;
    });
    await replaceText(
      window,
      draft.text.replace(QUESTION, 'Build on the arm runner').replace('tags: []', 'tags: [arm, ci]'),
    );
    await screenshot(window, 'inbox-draft');
    await save(window);
    await hides(QUESTION);
    await until('the memory is a row', async () =>
      (await views.rows(window, 'Memories')).some(({ label }) => label === 'Build on the arm runner'),
    );
    assert.equal(await views.badge(window, 'Subconscious'), undefined);
    const { entries } = (await other.call('list')) as { entries: { tags: string[]; versions: number }[] };
    assert.deepEqual(
      entries.map(({ tags, versions }) => [tags, versions]),
      [[['arm', 'ci'], 1]],
    );
    await until('the draft gave way to the memory', async () => (await tabs(window)).length === 1);
    await closeEditors(window);
  });

  it('keeps nothing because the editor saved by itself', async () => {
    const { window, workbench } = shared;
    await captureSession(workbench, [['Where are the logs?', 'In /var/log/app.']]);
    await shows('Where are the logs?');
    await changeSettings(window, { 'files.autoSave': 'afterDelay', 'files.autoSaveDelay': 50 });
    await pressInline(window, VIEW, 'Where are the logs?', /^Keep/);
    const draft = await until('the draft is open', async () => {
      const found = await activeEditor(window);
      return found?.text.includes('A draft') === true && found;
    });
    await replaceText(window, draft.text.replace('In /var', 'Look in /var'));
    await until('the editor saved it', async () => (await activeEditor(window))?.dirty === false);
    assert.ok((await labels()).includes('Where are the logs?'));
    assert.equal(((await other.call('list')) as { total: number }).total, 1);
    await changeSettings(window, { 'files.autoSave': 'off' });
    await save(window);
    await hides('Where are the logs?');
    await closeEditors(window);
  });

  it('discards, and takes that back', async () => {
    const { window, workbench } = shared;
    await captureSession(workbench, [['First question of the day', 'First answer.']]);
    await shows('First question of the day');
    await pressInline(window, VIEW, 'First question of the day', /^Discard/);
    await hides('First question of the day');
    await pressToast(window, /^Discarded/, 'Undo');
    await shows('First question of the day');
  });

  it('discards all that is older after one question', async () => {
    const { window, workbench } = shared;
    for (const name of ['Second', 'Third'])
      await captureSession(workbench, [[`${name} question of the day`, 'An answer.']]);
    await shows('Third question of the day');
    await contextMenu(window, VIEW, 'Second question of the day');
    await pressMenuItem(window, /^Discard This and All Older/);
    assert.match((await waitForDialog(window)).message, /^Discard 2 sessions/);
    await pressDialog(window, 'Discard');
    await hides('First question of the day');
    await hides('Second question of the day');
    assert.ok((await labels()).includes('Third question of the day'));
    await waitForToast(window, 'Discarded 2 sessions.');
  });
});
