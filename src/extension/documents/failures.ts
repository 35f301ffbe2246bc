import * as vscode from 'vscode';
import { plainMessage } from '../plainMessage.js';
import { DocumentFault } from './documentFault.js';
import { faultWords } from './faultWords.js';
import { isToolFailure, saysGone } from './serverFailures.js';

/** Somebody else changed what is saved here, since it was shown here. */
export class Conflict extends Error {}

/** A save that is refused, in words for people. */
export function refused(words: string): vscode.FileSystemError {
  return vscode.FileSystemError.Unavailable(plainMessage(words));
}

/** Why a document could not be read, and what to do. */
export function readFailure(error: unknown): string {
  if (isToolFailure(error)) return error.message;
  return vscode.l10n.t(
    'This could not be read: {0} It appears here once the memory server runs (Subconscious: Restart Server).',
    sentence(messageOf(error)),
  );
}

/** Why a document could not be saved. */
export function notSaved(error: unknown): vscode.FileSystemError {
  if (error instanceof vscode.FileSystemError) return error;
  if (error instanceof Conflict) {
    return refused(
      vscode.l10n.t(
        'Another client changed this memory since it was opened here. Nothing was saved. Revert the document to see what is there now, or save once more to replace it.',
      ),
    );
  }
  if (error instanceof DocumentFault) return refused(faultWords(error));
  if (saysGone(error)) {
    return refused(
      vscode.l10n.t(
        'This was removed for good meanwhile. Nothing was saved; to keep what stands here, select it and run "Subconscious: Remember Selection".',
      ),
    );
  }
  if (isToolFailure(error)) return refused(error.message);
  return refused(
    vscode.l10n.t(
      'It could not be saved: {0} What you wrote stays here; save again once the memory server runs (Subconscious: Restart Server).',
      sentence(messageOf(error)),
    ),
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function sentence(words: string): string {
  return /[.!?]$/.test(words) ? words : `${words}.`;
}
