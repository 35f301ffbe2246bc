import * as vscode from 'vscode';
import type { Stored } from '../results.js';
import { requireTrust, type DocumentWorld } from './documentWorld.js';
import { fromDraft, toDocument, type MemoryContent } from './memoryDocument.js';
import type { DocumentSource } from './memoryFiles.js';
import { isAutomatic, onceSaved } from './saving.js';

/** What a draft begins with, and what becomes of it. */
export interface Draft {
  read(id: string): Promise<Omit<MemoryContent, 'expiresAt' | 'scope'> & { readonly storedAt: number }>;
  store(id: string, content: MemoryContent): Promise<Stored>;
}

/** A draft is kept here until it is saved by hand: what an automatic save writes is not meant yet. */
export function draftSource(world: DocumentWorld, draft: Draft): DocumentSource {
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
      return { text, revision: String(count), storedAt, readonly: !world.isTrusted() };
    },
    write: async (id, text, _seen, uri) => {
      requireTrust(world);
      if (isAutomatic(uri)) {
        texts.set(id, { text, count: (texts.get(id)?.count ?? 0) + 1 });
        return;
      }
      const { before } = await initial(id);
      const stored = await draft.store(id, fromDraft(text, before));
      texts.delete(id);
      for (const warning of stored.warnings ?? []) world.warn(warning);
      onceSaved(uri, () => world.onStored(uri, stored));
    },
  };
}
