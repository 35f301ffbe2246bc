import * as vscode from 'vscode';
import type { EpisodeWords, ReportWords } from './reports.js';

export function episodeWords(): EpisodeWords {
  return {
    where: (project, directory, session) =>
      vscode.l10n.t('Project {0}, in {1}, session {2}.', project, directory, session),
  };
}

export function reportWords(): ReportWords {
  return {
    title: vscode.l10n.t('Drift report'),
    analyzed: (recalls) => vscode.l10n.t('Recalls of this project that were looked at: {0}.', recalls),
    none: vscode.l10n.t('No memory drifts.'),
    sums: (hits, questions, lowest, highest) =>
      vscode.l10n.t('Hits: {0}, questions: {1}, similarity {2} to {3}.', hits, questions, lowest, highest),
    reviewed: vscode.l10n.t('Marked as reviewed.'),
    columns: [vscode.l10n.t('similarity'), vscode.l10n.t('times'), vscode.l10n.t('question')],
  };
}
