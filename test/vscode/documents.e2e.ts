import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { SCHEME } from '../../src/extension/contributions.js';
import { documentPath } from '../../src/extension/documents/memoryUri.js';
import { activeEditor, closeEditors, openDocument, replaceText, save } from './harness/editors.js';
import { extensionVsix } from './harness/packaging.js';
import { runCommand } from './harness/palette.js';
import { kill } from './harness/processes.js';
import { useWorkbench } from './harness/suite.js';
import { clearToasts, pressToast, toasts, waitForToast } from './harness/toasts.js';
import * as views from './harness/views.js';
import { until } from './harness/waiting.js';
import { execute, inHost, screenshot, type Window } from './harness/window.js';
import { OtherClient } from './otherClient.js';
import { rowsOf } from './rows.js';

const FAILED = /^The memory server of Subconscious could not be started: /;

/** As a person does it, so that the editor keeps its tabs and what is not saved. */
async function reload(window: Window): Promise<void> {
  window.host = await window.hosts.startedBy(() => {
    // The host that was asked ends before it can answer.
    void execute(window, 'workbench.action.reloadWindow').catch(() => undefined);
    return Promise.resolve();
  });
}

describe('a memory as a document', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const { shows } = rowsOf(shared, 'Memories');
  let other: OtherClient;
  before(async () => {
    other = await OtherClient.start(shared.workbench);
    await views.openActivity(shared.window, 'Subconscious');
  });
  after(() => other.close());

  const uriOf = (id: string, title: string) => `${SCHEME}:${documentPath({ kind: 'memory', id }, title)}`;
  const textIs = (what: string, is: (text: string) => boolean) =>
    until(what, async () => is((await activeEditor(shared.window))?.text ?? ''));

  /** A memory of another client, open here. */
  const opened = async (task: string, answer: string) => {
    const id = await other.remember(task, answer);
    await openDocument(shared.window, uriOf(id, task));
    await textIs('the document is open', (text) => text.endsWith(answer));
    return id;
  };
  const typed = async (from: string, to: string) => {
    const text = (await activeEditor(shared.window))?.text ?? '';
    await replaceText(shared.window, text.replace(from, to));
  };
  const answerOf = async (id: string) => (await other.call('get_entry', { entry_id: id }))['answer'];
  const stored = (id: string, answer: string) =>
    until('it is saved', async () => (await answerOf(id)) === answer);
  const isDirty = async () => (await activeEditor(shared.window))?.dirty;

  /** Ends the server of this window until it is not started again, and has another one started after that. */
  const withoutServer = async (act: () => Promise<void>) => {
    const { window, workbench } = shared;
    await clearToasts(window);
    await until('no server is started any more', async () => {
      for (const { pid, command } of workbench.processes()) {
        if (/extensions\/subconscious.*server\.js/.test(command)) kill(pid, 'SIGKILL');
      }
      return (await toasts(window)).some(({ message }) => FAILED.test(message));
    });
    await clearToasts(window);
    try {
      await act();
    } finally {
      await runCommand(window, 'Subconscious: Restart Server');
      await clearToasts(window);
    }
  };

  /** Whether the editor has written down what was typed and is not saved, which it does after a while. */
  const isKept = (text: string) => {
    const backups = join(shared.workbench.home, '..', 'profile', 'data', 'User', 'Backups');
    return readdirSync(backups, { recursive: true, encoding: 'utf8' })
      .map((name) => join(backups, name))
      .some((file) => statSync(file).isFile() && readFileSync(file, 'utf8').includes(text));
  };

  it('says why it cannot be saved while there is no server, keeps what was written, and is saved later', async () => {
    const { window } = shared;
    const id = await opened('Publish the docs', 'make docs');
    await withoutServer(async () => {
      assert.equal((await activeEditor(window))?.text.endsWith('make docs'), true);
      await typed('make docs', 'make all docs');
      await save(window);
      const { message } = await waitForToast(window, /^Failed to save/);
      assert.match(message, /It could not be saved: .+ What you wrote stays here; save again once/);
      await screenshot(window, 'document-no-server');
      assert.equal(await isDirty(), true);
    });
    await shows('Publish the docs');
    await save(window);
    await stored(id, 'make all docs');
    await until('nothing is unsaved', async () => (await isDirty()) === false);
    await closeEditors(window);
  });

  it('that is opened while there is no server says so, and shows the memory once there is one', async () => {
    const { window } = shared;
    const title = 'Tag a release';
    const uri = uriOf(await other.remember(title, 'git tag'), title);
    await withoutServer(async () => {
      await openDocument(window, uri);
      await textIs('the document says why', (text) =>
        /^This could not be read: .+ It appears here once the memory server runs/.test(text),
      );
      await screenshot(window, 'document-not-read');
    });
    await textIs('it is there', (text) => text.endsWith('git tag'));
    await closeEditors(window);
  });

  it('that lies in the trash is restored where somebody saves it, and saved then', async () => {
    const { window } = shared;
    for (const [task, changesFirst] of [
      ['Drain the queue', false],
      ['Fill the queue', true],
    ] as const) {
      const id = await opened(task, 'queue 1');
      if (changesFirst) await typed('queue 1', 'queue 2');
      await other.call('forget', { entry_id: id });
      if (!changesFirst) {
        await textIs('it says so', (text) => text.includes('lies in the trash: restore it'));
        await typed('queue 1', 'queue 2');
      }
      await save(window);
      await waitForToast(window, /^Failed to save .*lies in the trash\. Nothing was saved; restore it/);
      await screenshot(window, 'document-forgotten');
      await pressToast(window, `"${task}" lies in the trash. Restore it?`, 'Restore');
      await waitForToast(window, /^It is restored\. Save the document again/);
      assert.deepEqual([await isDirty(), await answerOf(id)], [true, 'queue 1']);
      await save(window);
      await stored(id, 'queue 2');
      await closeEditors(window);
      await clearToasts(window);
    }
  });

  it('that was removed for good says so, and keeps what somebody writes', async () => {
    const { window } = shared;
    const first = await opened('Warm up', 'curl');
    await other.call('forget', { entry_id: first });
    await textIs('it lies in the trash', (text) => text.includes('lies in the trash'));
    await other.call('empty_trash');
    await textIs('it is gone', (text) => /^This is gone for good/.test(text));
    await screenshot(window, 'document-gone');
    await closeEditors(window);

    const second = await opened('Cool down', 'curl');
    await typed('curl', 'wget');
    await other.call('forget', { entry_id: second });
    await other.call('empty_trash');
    await save(window);
    await waitForToast(window, /^Failed to save .*removed for good meanwhile\. Nothing was saved; to keep/);
    assert.equal((await activeEditor(window))?.text.endsWith('wget'), true);
    assert.equal(await isDirty(), true);
    await closeEditors(window);
  });

  it('may not lose its answer', async () => {
    const { window } = shared;
    const id = await opened('Rotate the logs', 'logrotate');
    await typed('logrotate', '');
    await save(window);
    await waitForToast(window, /^Failed to save .*The answer is empty\. Nothing was saved; .* or forget/);
    assert.deepEqual([await isDirty(), await answerOf(id)], [true, 'logrotate']);
    await closeEditors(window);
  });

  it('that is a draft is stored once what is wrong with it is corrected', async () => {
    const { window } = shared;
    const id = await opened('Restart the workers', 'systemctl restart');
    const question = 'Stop the workers';
    const draft = { kind: 'split', id: JSON.stringify([id, question]) } as const;
    await openDocument(window, `${SCHEME}:${documentPath(draft, question)}`);
    await textIs('the draft is open', (text) => text.includes('nothing is stored until you save it'));
    await typed('systemctl restart', '');
    await save(window);
    await waitForToast(
      window,
      /^Failed to save .*The answer is empty\. Nothing was saved; .*close the draft/,
    );
    const text = (await activeEditor(window))?.text ?? '';
    await replaceText(window, `${text}systemctl stop`);
    await save(window);
    await textIs('it is a memory', (now) => /Saving this document[^]*systemctl stop$/.test(now));
    const { entries } = (await other.call('list', { filter: question })) as {
      entries: { entry_id: string }[];
    };
    assert.equal(await answerOf(entries[0]?.entry_id ?? ''), 'systemctl stop');
    await closeEditors(window);
  });

  it('is saved after the window was loaded again, with what had not been saved', async () => {
    const { window } = shared;
    const id = await opened('Sign the image', 'cosign');
    await typed('cosign', 'cosign sign');
    await until('the editor has kept it', () => isKept('cosign sign'));
    await reload(window);
    await textIs('what was typed is there', (text) => text.endsWith('cosign sign'));
    assert.equal(await isDirty(), true);
    await save(window);
    await stored(id, 'cosign sign');
    await closeEditors(window);
  });
});

describe('a report', () => {
  const shared = useWorkbench(() => ({ vsix: [extensionVsix()] }));
  const reportIs = (is: RegExp) =>
    until(`the report says ${String(is)}`, async () =>
      is.test((await activeEditor(shared.window))?.text ?? ''),
    );

  it('on drift is there again after the window was loaded again', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Show Drift Report');
    await reportIs(/^# Drift report\n[^]*No memory drifts/);
    await reload(window);
    await reportIs(/^# Drift report\n[^]*No memory drifts/);
    await closeEditors(window);
  });

  it('of the doctor says after the window was loaded again how to have another one', async () => {
    const { window } = shared;
    await runCommand(window, 'Subconscious: Run Doctor');
    await reportIs(/^# Doctor\n[^]*\[Look again\]/);
    await reload(window);
    await reportIs(/^# Doctor\n[^]*was not kept[^]*\[Run the doctor\]/);
    await screenshot(window, 'doctor-after-reload');
    const links = await inHost(
      window,
      async (api, uri) => {
        type Links = readonly { readonly target?: unknown }[];
        const found = await api.commands.executeCommand<Links>(
          'vscode.executeLinkProvider',
          api.Uri.parse(uri),
        );
        return found.map(({ target }) => String(target));
      },
      (await activeEditor(window))?.uri ?? '',
    );
    assert.deepEqual(links, ['command:subconscious.runDoctor']);
    await runCommand(window, 'Subconscious: Run Doctor');
    await reportIs(/^# Doctor\n[^]*\[Look again\]/);
  });
});
