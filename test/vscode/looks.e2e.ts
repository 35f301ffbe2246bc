import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { activeEditor, closeEditors } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { useWorkbench } from './harness/suite.js';
import type { Theme } from './harness/settings.js';
import { clickRow, expand, pressInline } from './harness/treeRows.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { execute, screenshot, setTheme } from './harness/window.js';
import { captureSession, OtherClient } from './otherClient.js';

const TASKS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'Publish the package from CI without a stored token',
    'Register the workflow as a trusted publisher, then:\n\n```yaml\npermissions:\n  id-token: write\n```\n\nThe provenance statement is added by itself.',
    ['npm', 'ci'],
  ],
  ['Cache dependencies in the pipeline', '`actions/setup-node` with `cache: npm`.', ['ci']],
  ['Reset the local database', 'make db-reset && make seed', ['postgres', 'dev']],
  ['Find the flaky integration test', 'Run with `--repeat 50 --bail`.', ['testing']],
  [
    'Add a column without a long lock',
    'Add it nullable, backfill in batches, then set NOT NULL.',
    ['postgres'],
  ],
  ['Undo a pushed merge', 'git revert -m 1 <merge>', ['git']],
];

/** As wide as people have it who read tasks in it. */
async function widenSidebar(page: Page): Promise<void> {
  const box = await page.locator('[id="workbench.parts.sidebar"]').boundingBox();
  const [edge, middle] = [(box?.x ?? 0) + (box?.width ?? 0) + 2, 500];
  await page.mouse.move(edge, middle);
  await page.mouse.down();
  await page.mouse.move(edge + 90, middle, { steps: 5 });
  await page.mouse.up();
}

/** Pictures of every view in dark, light and high contrast; somebody looks at them before a release. */
describe('looks', () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'looks-')), 'webshop');
  const shared = useWorkbench(() => {
    mkdirSync(folder);
    return { vsix: [extensionVsix()], folder };
  });

  it('are kept as pictures', async () => {
    const { window, workbench } = shared;
    const other = await OtherClient.start(workbench);
    await other.call('remember', {
      task: 'Commit messages are in plain English',
      answer: 'One sentence, present tense.',
      scope: 'global',
      tags: ['style'],
    });
    for (const [task, answer, tags] of TASKS) await other.remember(task, answer, tags);
    await other.call('remember', {
      task: 'The freeze dates of the spring release',
      answer: 'April 3 to 7.',
      ttl_seconds: -1,
    });
    const { entries } = (await other.call('list', { filter: 'column' })) as {
      entries: { entry_id: string }[];
    };
    await other.call('update', {
      entry_id: entries[0]?.entry_id,
      answer: 'Add it nullable, backfill, validate the constraint, then set NOT NULL.',
    });
    for (const task of [
      'Reset the local database',
      'Reset the database',
      'How do I seed data for development?',
      'Drop a table in production',
    ]) {
      await other.call('recall', { task, threshold: 0.05 });
    }
    await captureSession(workbench, [
      ['Why is the arm build failing?', 'The image had no cross compiler; added gcc-aarch64-linux-gnu.'],
      [
        'Which token does it use? <private>the one of Ann</private>',
        'NPM_TOKEN=npm_abcdefghijklmnopqrstuvwxyz0123456789 from the job.',
      ],
    ]);
    await captureSession(workbench, [
      ['Speed up the cold start of the api', 'Lazy-load the pdf module: 900 ms to 300 ms.'],
    ]);
    await views.openActivity(window, 'Subconscious');
    await widenSidebar(window.page);
    await until('all is shown', async () => (await views.rows(window, 'Inbox')).length === 2);
    await execute(window, 'subconscious.showHidden');
    await until('what drifts is shown', async () => (await views.rows(window, 'Drift')).length === 1);
    await expand(window, 'Memories', 'Add a column without a long lock');
    await clickRow(window, 'Memories', TASKS[0]?.[0] ?? '');
    await until('the document is open', async () =>
      (await activeEditor(window))?.text.includes('provenance'),
    );
    const themes: readonly Theme[] = ['light', 'highContrast', 'highContrastLight', 'dark'];
    for (const theme of themes) {
      await setTheme(window, theme);
      await screenshot(window, `sidebar-${theme}`);
    }
    await execute(window, 'subconscious.groupByTag');
    await until('tags are shown', async () =>
      (await views.rows(window, 'Memories')).some(({ label }) => label === 'postgres'),
    );
    await screenshot(window, 'sidebar-tags');
    await execute(window, 'subconscious.groupByTime');
    await expand(window, 'Drift', 'Reset the local database');
    await expand(window, 'Inbox', 'Why is the arm build failing?');
    await pressInline(window, 'Inbox', 'Why is the arm build failing?', /^Open Transcript/);
    await until('the transcript is open', async () =>
      (await activeEditor(window))?.text.includes('cross compiler'),
    );
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await setTheme(window, theme);
      await screenshot(window, `transcript-${theme}`);
    }
    const states = (await views.rows(window, 'Memories')).map(({ description }) => description);
    assert.ok(states.some((description) => /^expired/.test(description)));
    await closeEditors(window);
    await other.close();
  });
});
