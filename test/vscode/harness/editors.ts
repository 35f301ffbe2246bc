import { dialog, pressDialog } from './dialogs.js';
import { until } from './waiting.js';
import { execute, inHost, type Window } from './window.js';

export interface ActiveEditor {
  readonly uri: string;
  readonly language: string;
  readonly text: string;
  readonly dirty: boolean;
}

/** The text editor that has the focus, or had it last. */
export function activeEditor(window: Window): Promise<ActiveEditor | undefined> {
  return inHost(
    window,
    (api) => {
      const document = api.window.activeTextEditor?.document;
      if (document === undefined) return undefined;
      const { languageId: language, isDirty: dirty } = document;
      return { uri: document.uri.toString(), language, text: document.getText(), dirty };
    },
    undefined,
  );
}

export interface Tab {
  readonly label: string;
  readonly active: boolean;
  readonly dirty: boolean;
  readonly kind: 'text' | 'diff' | 'other';
  /** Of a diff: the right side. */
  readonly uri: string;
}

/** Tabs of all groups. */
export function tabs(window: Window): Promise<Tab[]> {
  return inHost(
    window,
    (api) => {
      const subject = ({ input }: { readonly input: unknown }) => {
        if (input instanceof api.TabInputText) return { kind: 'text', uri: input.uri.toString() } as const;
        if (input instanceof api.TabInputTextDiff)
          return { kind: 'diff', uri: input.modified.toString() } as const;
        return { kind: 'other', uri: '' } as const;
      };
      return api.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .map((tab) => ({ label: tab.label, active: tab.isActive, dirty: tab.isDirty, ...subject(tab) }));
    },
    undefined,
  );
}

/** Opens a file or a document with another scheme. */
export async function openDocument(window: Window, uri: string): Promise<void> {
  await inHost(
    window,
    (api, target) => api.window.showTextDocument(api.Uri.parse(target)).then(() => undefined),
    uri,
  );
}

/** Types over all text of the active editor. */
export async function replaceText(window: Window, text: string): Promise<void> {
  await execute(window, 'workbench.action.focusActiveEditorGroup');
  await window.page.keyboard.press('ControlOrMeta+a');
  await window.page.keyboard.insertText(text);
  await until('the text is typed', async () => (await activeEditor(window))?.text === text);
}

/** Presses the keys for it. Whether it could be saved: `activeEditor`, dialogs and notifications say. */
export async function save(window: Window): Promise<void> {
  await window.page.keyboard.press('ControlOrMeta+s');
}

/** Closes all editors, also settings and lists that lie above the others, and throws away what was typed. */
export async function closeEditors(window: Window): Promise<void> {
  const modal = window.page.locator('.monaco-modal-editor-block');
  await until('all editors are closed', async () => {
    if (await modal.isVisible()) await execute(window, 'workbench.action.closeModalEditor');
    else if ((await tabs(window)).length > 0)
      // It may ask something first, and never end.
      execute(window, 'workbench.action.revertAndCloseActiveEditor').catch(() => undefined);
    else return true;
    if ((await dialog(window)) !== undefined) await pressDialog(window, /don.t save/i);
    return undefined;
  });
}
