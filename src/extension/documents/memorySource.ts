import * as vscode from 'vscode';
import type { Entry, Updated } from '../results.js';
import { contentOf, entryOf, requireTrust, type DocumentWorld } from './documentWorld.js';
import { Conflict } from './failures.js';
import { offerRestore } from './forgotten.js';
import { fromDocument, toDocument } from './memoryDocument.js';
import type { DocumentSource } from './memoryFiles.js';
import { isAutomatic } from './saving.js';

/** How long an editor that saves by itself changes the same version of a memory, in milliseconds. */
const SAME_VERSION = 10 * 60_000;

/** Memories, to be changed in place. */
export function memorySource(world: DocumentWorld): DocumentSource {
  const versions = new Map<string, number>();
  return {
    read: async (id) => {
      const entry = await entryOf(world, id);
      const state = stateOf(entry);
      return {
        text: toDocument(contentOf(entry), [hintOf(state)]),
        revision: entry.revision,
        state,
        storedAt: entry.stored_at,
        // What is forgotten can be restored, and saved then.
        readonly: isVersion(entry) || !world.isTrusted(),
      };
    },
    write: async (id, text, seen, uri) => {
      requireTrust(world);
      const isSameVersion = isAutomatic(uri) && Date.now() - (versions.get(id) ?? 0) < SAME_VERSION;
      const entry = await entryOf(world, id);
      if (entry.deleted_at !== null && !isVersion(entry)) throw offerRestore(world, entry);
      const before = contentOf(entry);
      const { task, answer, tags, expiresAt, scope } = fromDocument(text, before);
      const result = await world.memory.call<Updated>('update', {
        entry_id: id,
        any_project: true,
        task,
        answer,
        tags,
        revision: seen,
        keep_version: !isSameVersion,
        ...(expiresAt !== before.expiresAt && { expires_at: expiresAt }),
        ...(scope !== before.scope && { scope }),
      });
      if (result.conflict === true) throw new Conflict();
      if (result.changed && !isSameVersion) versions.set(id, Date.now());
      for (const warning of result.warnings ?? []) world.warn(warning);
    },
  };
}

type State = 'current' | 'version' | 'forgotten';

function stateOf(entry: Entry): State {
  if (entry.deleted_at !== null) return 'forgotten';
  return isVersion(entry) ? 'version' : 'current';
}

function isVersion({ superseded_by, kind }: Entry): boolean {
  return superseded_by !== null || kind === 'episode';
}

function hintOf(state: State): string {
  switch (state) {
    case 'forgotten':
      return vscode.l10n.t('This was forgotten and lies in the trash: restore it before you change it.');
    case 'version':
      return vscode.l10n.t('This is an earlier version: it can be read, not changed.');
    case 'current':
      return vscode.l10n.t('Saving this document changes the memory. expires: never, or a date.');
  }
}
