import * as vscode from 'vscode';
import type { DocumentFault } from './documentFault.js';

/** What is wrong with a document, and what to do. */
export function faultWords({ kind, detail }: DocumentFault): string {
  switch (kind) {
    case 'no-front-matter':
      return vscode.l10n.t(
        'The document has to begin with its front matter, between two lines "---". Nothing was saved; undo until it is there again.',
      );
    case 'front-matter-too-long':
      return vscode.l10n.t(
        'The front matter is too long for a task and tags. Nothing was saved; shorten it.',
      );
    case 'front-matter-too-full':
      return vscode.l10n.t(
        'The front matter holds more than a task and tags. Nothing was saved; take out what is too much.',
      );
    case 'no-yaml':
      return vscode.l10n.t('The front matter is no YAML: {0}. Nothing was saved; correct that line.', detail);
    case 'no-keys':
      return vscode.l10n.t(
        'The front matter holds no keys. Nothing was saved; write lines such as "task: ...".',
      );
    case 'unknown-key':
      return vscode.l10n.t(
        '"{0}" in the front matter is unknown. Nothing was saved; keys are task, tags, expires, scope.',
        detail,
      );
    case 'key-twice':
      return vscode.l10n.t(
        '"{0}" is in the front matter twice. Nothing was saved; keep one of them.',
        detail,
      );
    case 'task':
      return vscode.l10n.t('"task" has to be a text that is not empty. Nothing was saved; write the task.');
    case 'tags':
      return vscode.l10n.t('"tags" has to be a list of words, such as [npm, ci]. Nothing was saved.');
    case 'expires':
      return vscode.l10n.t('"expires" has to be "never" or a date such as 2030-12-31. Nothing was saved.');
    case 'scope':
      return vscode.l10n.t('"scope" has to be project or global. Nothing was saved.');
    case 'no-answer':
      return vscode.l10n.t(
        'The answer is empty. Nothing was saved; write one below the front matter, or forget the memory in the Subconscious sidebar.',
      );
    case 'no-answer-in-draft':
      return vscode.l10n.t(
        'The answer is empty. Nothing was saved; write one below the front matter, or close the draft without saving it.',
      );
  }
}
