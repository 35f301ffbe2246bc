import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pressDialog, waitForDialog } from './harness/dialogs.js';
import { activeEditor, closeEditors } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { useWorkbench } from './harness/suite.js';
import { clearToasts, pressToast, waitForToast } from './harness/toasts.js';
import { clickRow, expand, selectRows } from './harness/treeRows.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { execute } from './harness/window.js';
import { captureSession, OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const [OLDEST, MIDDLE, NEWEST] = ['Water the plants', 'Feed the cat', 'Walk the dog'] as const;

describe('the Delete key', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const memories = rowsOf(shared, 'Memories');
  const inbox = rowsOf(shared, 'Inbox');
  const drift = rowsOf(shared, 'Drift');
  const press = (key: string) => shared.window.page.keyboard.press(key);
  /** Selects a row as a click does, whose document comes to the front. */
  const choose = async (label: string) => {
    await clickRow(shared.window, 'Memories', label);
    await until('its document has the focus', async () =>
      (await activeEditor(shared.window))?.text.includes(`task: ${label}`),
    );
  };
  /** Moves the focus with the keyboard alone, which selects nothing. */
  const moveTo = async (view: 'Memories' | 'Inbox' | 'Drift', label: string) => {
    await execute(shared.window, `subconscious.${view.toLowerCase()}.focus`);
    await press('Home');
    await until(`the focus is on ${label}`, async () => {
      const focused = (await views.rows(shared.window, view)).find((row) => row.focused);
      if (focused?.label === label) return true;
      await press('ArrowDown');
      return undefined;
    });
  };
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
    for (const task of [OLDEST, MIDDLE, NEWEST]) await other.remember(task, `How to ${task.toLowerCase()}.`);
    await views.openActivity(shared.window, 'Subconscious');
    await memories.shows(OLDEST);
  });
  after(() => other.close());

  it('is about the memory with the focus, not about the one that was chosen before', async () => {
    const { window } = shared;
    await choose(NEWEST);
    await moveTo('Memories', MIDDLE);
    await press('Delete');
    assert.equal((await waitForDialog(window)).message, `Forget "${MIDDLE}"?`);
    await pressDialog(window, 'Forget');
    await memories.hides(MIDDLE);
    assert.deepEqual(
      (await memories.labels()).filter((label) => label === NEWEST || label === OLDEST),
      [NEWEST, OLDEST],
    );
    await pressToast(window, `Forgot "${MIDDLE}".`, 'Undo');
    await memories.shows(MIDDLE);
  });

  it('is about all that are selected where the focus is on one of them, and names them', async () => {
    const { window } = shared;
    await choose(NEWEST);
    await selectRows(window, 'Memories', [NEWEST, OLDEST]);
    await moveTo('Memories', OLDEST);
    await press('Delete');
    const { message, detail } = await waitForDialog(window);
    assert.equal(message, 'Forget 2 memories?');
    assert.match(detail, new RegExp(`- ${NEWEST}\\s+- ${OLDEST}`));
    await pressDialog(window, 'Cancel');
  });

  it('says so where the focus is on no memory', async () => {
    const { window } = shared;
    await moveTo('Memories', 'Today');
    await press('Delete');
    await waitForToast(window, /^Choose a memory in the Subconscious sidebar/);
    assert.ok((await memories.labels()).includes(NEWEST));
  });

  it('discards the session with the focus, which can be taken back', async () => {
    const { window, workbench } = shared;
    await closeEditors(window);
    for (const name of ['First', 'Second']) await captureSession(workbench, [[`${name} question`, 'Yes.']]);
    await inbox.shows('Second question');
    await clickRow(window, 'Inbox', 'Second question');
    await moveTo('Inbox', 'First question');
    await press('Delete');
    await inbox.hides('First question');
    assert.ok((await inbox.labels()).includes('Second question'));
    await pressToast(window, 'Discarded "First question".', 'Undo');
    await inbox.shows('First question');
  });

  it('forgets from the drift view, too', async () => {
    const { window } = shared;
    for (const task of [NEWEST, 'Walk the neighbour’s dog', 'Take a dog out'])
      assert.equal((await other.call('recall', { task, threshold: 0.1 }))['hit'], true);
    await drift.shows(NEWEST);
    await expand(window, 'Drift', NEWEST);
    await moveTo('Drift', NEWEST);
    await press('Delete');
    assert.equal((await waitForDialog(window)).message, `Forget "${NEWEST}"?`);
    await pressDialog(window, 'Forget');
    await drift.hides(NEWEST);
  });

  it('that is undone too late says that nothing came back', async () => {
    const { window } = shared;
    await clearToasts(window);
    await moveTo('Memories', OLDEST);
    await press('Delete');
    await pressDialog(window, 'Forget');
    await memories.hides(OLDEST);
    await other.call('empty_trash');
    await pressToast(window, `Forgot "${OLDEST}".`, 'Undo');
    await waitForToast(window, /^Nothing was restored: it is no longer in the trash/);
  });
});
