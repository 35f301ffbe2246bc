import * as vscode from 'vscode';
import { SCHEME } from '../contributions.js';
import { openDocument } from '../documents/openDocument.js';
import { oneLine } from '../documents/reports.js';
import type { Entry, SearchHit } from '../results.js';
import type { Window } from '../window.js';
import { attempt } from './attempt.js';

interface Item extends vscode.QuickPickItem {
  readonly id: string;
  readonly episode: boolean;
}

/** What a quick pick is filled with while somebody types. */
type Find = (text: string, signal: AbortSignal) => Promise<readonly Item[]>;

/** A pause in typing after which it is worth looking, in milliseconds. */
const PAUSE = 150;
const PREVIEW = 200;
const SHOWN = 30;

/** What lies near a task, the nearest first. Nothing is written down: a person who types is no agent that asks. */
export async function recall(window: Window): Promise<void> {
  await pick(
    window,
    vscode.l10n.t('Recall'),
    vscode.l10n.t('The task in one sentence'),
    async (task, signal) => {
      type Echoes = {
        readonly echoes: readonly (Omit<SearchHit, 'score' | 'snippet'> & { readonly similarity: number })[];
      };
      const { echoes } = await window.memory.call<Echoes>('echo', { task, top_k: SHOWN }, signal);
      return echoes.map((echo) => itemOf(echo, vscode.l10n.t('similarity {0}', echo.similarity.toFixed(2))));
    },
  );
}

/** Memories and sessions by words and meaning, also of their answers. */
export async function search(window: Window): Promise<void> {
  await pick(
    window,
    vscode.l10n.t('Search Memories'),
    vscode.l10n.t('Words or a question'),
    async (query, signal) => {
      type Found = { readonly results: readonly SearchHit[] };
      const asked = { query, limit: SHOWN, max_tokens: 20_000 };
      const { results } = await window.memory.call<Found>('search', asked, signal);
      return results.map((hit) => ({ ...itemOf(hit, hit.tags.join(', ')), detail: oneLine(hit.snippet) }));
    },
  );
}

/** Opens one of the memories as a document. */
export async function openMemory(window: Window): Promise<void> {
  const newest: Find = async (filter, signal) => {
    type Listed = { readonly entries: readonly Omit<SearchHit, 'kind' | 'score' | 'snippet'>[] };
    const { entries } = await window.memory.call<Listed>('list', { filter, limit: 100 }, signal);
    return entries.map((entry) => itemOf({ ...entry, kind: 'memory' }, entry.tags.join(', ')));
  };
  const placeholder = vscode.l10n.t('Words of the task or tags; the newest first');
  await pick(window, vscode.l10n.t('Open Memory'), placeholder, newest, open);
}

function itemOf(
  { entry_id, task_text, kind }: Pick<SearchHit, 'entry_id' | 'task_text' | 'kind'>,
  description: string,
): Item {
  const episode = kind === 'episode';
  return {
    id: entry_id,
    episode,
    label: `$(${episode ? 'comment-discussion' : 'note'}) ${oneLine(task_text)}`,
    description,
    alwaysShow: true,
    buttons: [{ iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open as a document') }],
  };
}

/** Resolves when the pick is closed; what was chosen is inserted or, without an editor, copied. */
async function pick(
  window: Window,
  title: string,
  placeholder: string,
  find: Find,
  choose = useAnswer(window),
): Promise<void> {
  const picker = vscode.window.createQuickPick<Item>();
  Object.assign(picker, { title, placeholder });
  // Not typed, and there since long: the order is by relevance, not by where letters match.
  Object.assign(picker, { sortByLabel: false });
  let running = new AbortController();
  let pause: NodeJS.Timeout | undefined;
  const look = async () => {
    running.abort();
    const { signal } = (running = new AbortController());
    const text = picker.value.trim();
    if (text === '' && choose !== open) {
      picker.items = [];
      return;
    }
    picker.busy = true;
    try {
      const items = await find(text, signal);
      if (signal.aborted) return;
      picker.items = items.length > 0 ? items : [nothing()];
    } catch (error) {
      if (signal.aborted) return;
      window.log.error(error instanceof Error ? error : String(error));
      picker.items = [nothing(error instanceof Error ? error.message : String(error))];
    } finally {
      if (!signal.aborted) picker.busy = false;
    }
  };
  const closed = new Promise<void>((resolve) => picker.onDidHide(resolve));
  picker.onDidChangeValue(() => {
    clearTimeout(pause);
    pause = setTimeout(() => void look(), PAUSE);
  });
  picker.onDidChangeActive(([active]) => void preview(window, picker, active));
  picker.onDidTriggerItemButton(({ item }) => {
    picker.hide();
    void attempt(window, title, () => open(item));
  });
  picker.onDidAccept(() => {
    const [chosen] = picker.selectedItems;
    if (!chosen || chosen.id === '') return;
    picker.hide();
    void attempt(window, title, () => choose(chosen));
  });
  picker.show();
  void look();
  await closed;
  clearTimeout(pause);
  running.abort();
  picker.dispose();
}

/** The beginning of the answer below the row one is on. */
async function preview(
  { memory }: Window,
  picker: vscode.QuickPick<Item>,
  active: Item | undefined,
): Promise<void> {
  if (!active || active.id === '' || active.detail !== undefined) return;
  const entry = await memory.call<Entry>('get_entry', { entry_id: active.id }).catch(() => null);
  if (!entry || !picker.items.includes(active)) return;
  const detail = oneLine(entry.answer.slice(0, PREVIEW * 2)).slice(0, PREVIEW);
  const items = picker.items.map((item) => (item === active ? { ...item, detail } : item));
  picker.items = items;
  picker.activeItems = items.filter(({ id }) => id === active.id);
}

function nothing(why = vscode.l10n.t('Nothing found')): Item {
  return { id: '', episode: false, label: why, alwaysShow: true };
}

function useAnswer({ memory }: Window): (item: Item) => Promise<void> {
  // The editor the user came from; a memory that is open is no place to insert another one's answer.
  const active = vscode.window.activeTextEditor;
  const editor = active?.document.uri.scheme === SCHEME ? undefined : active;
  return async (item) => {
    const { answer } = await memory.call<Entry>('get_entry', { entry_id: item.id });
    const inserted =
      editor !== undefined && (await editor.edit((edit) => edit.replace(editor.selection, answer)));
    if (inserted) {
      await vscode.window.showTextDocument(editor.document, editor.viewColumn);
      return;
    }
    await vscode.env.clipboard.writeText(answer);
    vscode.window.setStatusBarMessage(vscode.l10n.t('Answer copied'), 3000);
  };
}

async function open({ id, label, episode }: Item): Promise<void> {
  await openDocument({ kind: episode ? 'episode' : 'memory', id }, label.replace(/^\$\([^)]*\) /, ''));
}
