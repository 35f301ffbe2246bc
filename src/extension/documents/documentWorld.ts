import * as vscode from 'vscode';
import type { Memory } from '../memory.js';
import type { Entry, Episode, Stored } from '../results.js';
import { refused } from './failures.js';
import type { MemoryContent } from './memoryDocument.js';

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

export function requireTrust({ isTrusted }: DocumentWorld): void {
  if (isTrusted()) return;
  throw refused(vscode.l10n.t('This folder is not trusted: memories can be read here, not changed.'));
}

export function episodeOf({ memory }: DocumentWorld, id: string): Promise<Episode> {
  return memory.call<Episode>('get_episode', { entry_id: id, any_project: true });
}

export function entryOf({ memory }: DocumentWorld, id: string): Promise<Entry> {
  return memory.call<Entry>('get_entry', { entry_id: id });
}

export function contentOf(entry: Entry): MemoryContent {
  return {
    task: entry.task_text,
    answer: entry.answer,
    tags: entry.tags,
    expiresAt: entry.expires_at,
    scope: entry.scope === 'global' ? 'global' : 'project',
  };
}
