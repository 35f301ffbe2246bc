import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pressDialog } from './harness/dialogs.js';
import { activeEditor, closeEditors, save } from './harness/editors.js';
import { pressMenuItem } from './harness/menus.js';
import { extensionVsix } from './harness/packaging.js';
import { runCommand } from './harness/palette.js';
import { accept, fill, pick, waitForQuickInput } from './harness/quickInput.js';
import { useWorkbench } from './harness/suite.js';
import { contextMenu, expand, pressInline } from './harness/treeRows.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { screenshot } from './harness/window.js';
import { OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const VIEW = 'Drift';
const TASK = 'Restart the payment service in staging';
const QUESTIONS = [
  TASK,
  'Restart the payment service',
  'Restart a service in the cluster',
  'Stop the payment queue in staging',
];

describe('drift', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { labels, shows, hides } = rowsOf(shared, VIEW);
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
  });
  after(() => other.close());

  const asks = async (task: string) =>
    assert.equal((await other.call('recall', { task, threshold: 0.1 }))['hit'], true, task);

  it('says what it is about while nothing drifts', async () => {
    const { window } = shared;
    await views.openActivity(window, 'Subconscious');
    const welcome = await until('the welcome text is shown', () => views.welcome(window, VIEW));
    assert.match(welcome.text, /^No memory drifts/);
  });

  it('shows a memory that answers questions of very different closeness, and those questions', async () => {
    const { window } = shared;
    await other.remember(TASK, 'kubectl -n staging rollout restart deploy/payment', ['k8s']);
    for (const question of QUESTIONS) await asks(question);
    await shows(TASK);
    const [row] = await views.rows(window, VIEW);
    assert.match(row?.description ?? '', /^spread 0\.\d\d · 4 hits$/);
    await expand(window, VIEW, TASK);
    await shows('Restart a service in the cluster');
    assert.equal((await labels()).length, 1 + QUESTIONS.length);
    await screenshot(window, 'drift');
  });

  it('has a report for reading', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Show Drift Report');
    const report = await until('the report is open', async () => {
      const found = await activeEditor(window);
      return found?.text.startsWith('# Drift report') === true && found;
    });
    assert.match(report.text, /\| 0\.\d\d \| 1 \| Restart a service in the cluster \|/);
    await closeEditors(window);
  });

  it('splits a memory of its own off, by a draft', async () => {
    const { window } = shared;
    await pressInline(window, VIEW, TASK, /^Split/);
    await waitForQuickInput(window, /^Split/);
    await pick(window, 'Stop the payment queue in staging');
    await until('the draft is open', async () =>
      (await activeEditor(window))?.text.includes('task: Stop the payment queue'),
    );
    await save(window);
    await until('it is stored', async () => ((await other.call('list')) as { total: number }).total === 2);
    await closeEditors(window);
  });

  it('rewrites the task', async () => {
    const { window } = shared;
    await pressInline(window, VIEW, TASK, /^Rewrite Task/);
    await waitForQuickInput(window, 'Rewrite Task');
    await fill(window, 'Restart the payment deployment of staging');
    await accept(window);
    await shows('Restart the payment deployment of staging');
  });

  it('hides what was reviewed until there is new evidence', async () => {
    const { window } = shared;
    const task = 'Restart the payment deployment of staging';
    await pressInline(window, VIEW, task, /^Mark as Reviewed/);
    await hides(task);
    await asks('Restart the payment deployment of staging');
    await asks('Reload the payment pods of staging');
    await shows(task);
  });

  it('forgets from there, too', async () => {
    const { window } = shared;
    const task = 'Restart the payment deployment of staging';
    await contextMenu(window, VIEW, task);
    await pressMenuItem(window, /^Forget/);
    await pressDialog(window, 'Forget');
    await hides(task);
  });
});
