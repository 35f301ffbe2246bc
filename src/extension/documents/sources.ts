import * as vscode from 'vscode';
import type { Memory } from '../memory.js';
import type { Drift, Entry, Episode, Stored, Updated } from '../results.js';
import type { DocumentSource } from './memoryFiles.js';
import { fromDocument, toDocument, type MemoryContent } from './memoryDocument.js';
import type { Address } from './memoryUri.js';
import { episodeDocument, reportDocument } from './reports.js';

/** What the sources need to know of the window. */
export interface DocumentWorld {
  readonly memory: Pick<Memory, 'call'>;
  /** The text of the doctor's last examination. */
  readonly doctorReport: () => string;
  readonly isTrusted: () => boolean;
  /** Called with the stored memory when a draft became one. */
  readonly onStored: (draft: vscode.Uri, stored: Stored) => void;
  /** Says something that was done differently than asked, e.g. that a secret was masked. */
  readonly warn: (sentence: string) => void;
}

/** Where the documents come from, by kind. */
export function documentSources(world: DocumentWorld): Record<Address['kind'], DocumentSource> {
  return {
    memory: memorySource(world),
    episode: {
      read: async (id) => {
        const episode = await episodeOf(world, id);
        const text = episodeDocument(episode);
        return { text, revision: text, storedAt: episode.stored_at, readonly: true };
      },
    },
    keep: draftSource(world, {
      read: async (id) => {
        const episode = await episodeOf(world, id);
        const [only, ...others] = episode.turns;
        const answer =
          only && others.length === 0
            ? only.outcome
            : episode.turns.map(({ outcome }) => outcome).join('\n\n');
        return { task: episode.task_text, answer, tags: [], storedAt: episode.stored_at };
      },
      store: (id, { task, answer, tags, scope, expiresAt }) =>
        world.memory.call<Stored>('keep', {
          entry_id: id,
          any_project: true,
          task,
          answer,
          tags,
          scope,
          ttl_seconds: lifetime(expiresAt),
        }),
    }),
    split: draftSource(world, {
      read: async (id) => {
        const [entry_id, question] = JSON.parse(id) as [string, string];
        const entry = await entryOf(world, entry_id);
        return { task: question, answer: entry.answer, tags: entry.tags, storedAt: entry.stored_at };
      },
      store: (_id, { task, answer, tags, scope, expiresAt }) =>
        world.memory.call<Stored>('remember', {
          task,
          answer,
          tags,
          scope,
          ttl_seconds: lifetime(expiresAt),
        }),
    }),
    report: {
      read: async () => {
        const drift = await world.memory.call<Drift>('drift', { reviewed: true });
        return { text: reportDocument(drift), revision: JSON.stringify(drift), storedAt: 0, readonly: true };
      },
    },
    doctor: {
      read: () => {
        const text = world.doctorReport();
        return Promise.resolve({ text, revision: text, storedAt: 0, readonly: true });
      },
    },
  };
}

/** How long an editor that saves by itself changes the same version of a memory, in milliseconds. */
const SAME_VERSION = 10 * 60_000;

function memorySource({ memory, isTrusted, warn }: DocumentWorld): DocumentSource {
  const versions = new Map<string, number>();
  return {
    read: async (id) => {
      const entry = await memory.call<Entry>('get_entry', { entry_id: id });
      const isOld = entry.superseded_by !== null || entry.deleted_at !== null || entry.kind === 'episode';
      const hint =
        entry.deleted_at !== null
          ? vscode.l10n.t('This was forgotten and lies in the trash: it can be read, not changed.')
          : isOld
            ? vscode.l10n.t('This is an earlier version: it can be read, not changed.')
            : vscode.l10n.t('Saving this document changes the memory. expires: never, or a date.');
      return {
        text: toDocument(contentOf(entry), [hint]),
        revision: `${entry.revision} ${isOld}`,
        storedAt: entry.stored_at,
        readonly: isOld || !isTrusted(),
      };
    },
    write: async (id, text, seen, uri) => {
      requireTrust(isTrusted);
      const isSameVersion = isAutomatic(uri) && Date.now() - (versions.get(id) ?? 0) < SAME_VERSION;
      const entry = await memory.call<Entry>('get_entry', { entry_id: id });
      const { task, answer, tags, expiresAt, scope } = fromDocument(text, contentOf(entry));
      const before = contentOf(entry);
      const result = await memory.call<Updated>('update', {
        entry_id: id,
        any_project: true,
        task,
        answer,
        tags,
        revision: seen.split(' ', 1).join(''),
        keep_version: !isSameVersion,
        ...(expiresAt !== before.expiresAt && { expires_at: expiresAt }),
        ...(scope !== before.scope && { scope }),
      });
      if (result.conflict === true) {
        throw new Error(
          vscode.l10n.t(
            'Another client changed this memory since it was opened here. Nothing was saved. Revert the document to see what is there now, or save once more to replace it.',
          ),
        );
      }
      if (result.changed && !isSameVersion) versions.set(id, Date.now());
      for (const warning of result.warnings ?? []) warn(warning);
    },
  };
}

interface Draft {
  read(id: string): Promise<Omit<MemoryContent, 'expiresAt' | 'scope'> & { readonly storedAt: number }>;
  store(id: string, content: MemoryContent): Promise<Stored>;
}

/** A draft is kept here until it is saved by hand: what an automatic save writes is not meant yet. */
function draftSource({ isTrusted, onStored, warn }: DocumentWorld, draft: Draft): DocumentSource {
  const texts = new Map<string, { text: string; count: number }>();
  const initial = async (id: string) => {
    const { storedAt, ...content } = await draft.read(id);
    const hint = vscode.l10n.t('A draft: nothing is stored until you save it.');
    return { storedAt, before: { ...content, expiresAt: null, scope: 'project' as const }, hint };
  };
  return {
    read: async (id) => {
      const { storedAt, before, hint } = await initial(id);
      const { text, count } = texts.get(id) ?? { text: toDocument(before, [hint]), count: 0 };
      return { text, revision: String(count), storedAt, readonly: !isTrusted() };
    },
    write: async (id, text, _seen, uri) => {
      requireTrust(isTrusted);
      const { before } = await initial(id);
      texts.set(id, { text, count: (texts.get(id)?.count ?? 0) + 1 });
      if (isAutomatic(uri)) return;
      const stored = await draft.store(id, fromDocument(text, before));
      texts.delete(id);
      for (const warning of stored.warnings ?? []) warn(warning);
      onStored(uri, stored);
    },
  };
}

const reasons = new Map<string, vscode.TextDocumentSaveReason>();

/** Has the drafts know why they are saved. */
export function watchSaveReasons(): vscode.Disposable {
  return vscode.workspace.onWillSaveTextDocument(({ document, reason }) => {
    reasons.set(document.uri.toString(), reason);
  });
}

function isAutomatic(uri: vscode.Uri): boolean {
  const reason = reasons.get(uri.toString());
  return reason !== undefined && reason !== vscode.TextDocumentSaveReason.Manual;
}

function requireTrust(isTrusted: () => boolean): void {
  if (isTrusted()) return;
  throw new Error(vscode.l10n.t('This folder is not trusted: memories can be read here, not changed.'));
}

function episodeOf({ memory }: DocumentWorld, id: string): Promise<Episode> {
  return memory.call<Episode>('get_episode', { entry_id: id, any_project: true });
}

function entryOf({ memory }: DocumentWorld, id: string): Promise<Entry> {
  return memory.call<Entry>('get_entry', { entry_id: id });
}

function contentOf(entry: Entry): MemoryContent {
  return {
    task: entry.task_text,
    answer: entry.answer,
    tags: entry.tags,
    expiresAt: entry.expires_at,
    scope: entry.scope === 'global' ? 'global' : 'project',
  };
}

function lifetime(expiresAt: number | null): number | null {
  return expiresAt === null ? null : expiresAt - Date.now() / 1000;
}
