import * as vscode from 'vscode';
import { VIEWS } from '../contributions.js';
import { oneLine } from '../documents/reports.js';
import type { Memory } from '../memory.js';
import type { Drift, DriftCandidate, Question } from '../results.js';
import { ageOf } from './age.js';
import { problemItem, rowsOrProblem, type ProblemNode } from './problem.js';

export interface CandidateNode {
  readonly kind: 'candidate';
  readonly candidate: DriftCandidate;
}

export interface QuestionNode {
  readonly kind: 'question';
  readonly question: Question;
  readonly candidate: DriftCandidate;
}

export type DriftNode = CandidateNode | QuestionNode | ProblemNode;

/** Memories of this project that answer questions of very different closeness, and those questions. */
export class DriftView implements vscode.TreeDataProvider<DriftNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly view: vscode.TreeView<DriftNode>;
  private readonly subscription: vscode.Disposable;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly memory: Memory) {
    this.view = vscode.window.createTreeView(VIEWS.drift, { treeDataProvider: this, canSelectMany: true });
    this.subscription = memory.onDidChange(() => this.refresh());
  }

  refresh(): void {
    this.changed.fire();
  }

  getTreeItem(node: DriftNode): vscode.TreeItem {
    switch (node.kind) {
      case 'candidate':
        return candidateItem(node);
      case 'question':
        return questionItem(node);
      case 'problem':
        return problemItem(node);
    }
  }

  getChildren(node?: DriftNode): Promise<DriftNode[]> {
    return rowsOrProblem<DriftNode>(this.memory, async () => {
      if (node === undefined) return await this.candidates();
      if (node.kind !== 'candidate') return [];
      const { candidate } = node;
      return candidate.questions.map((question) => ({ kind: 'question', question, candidate }));
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private async candidates(): Promise<DriftNode[]> {
    const { candidates } = await this.memory.call<Drift>('drift');
    this.view.description = candidates.length === 0 ? '' : String(candidates.length);
    return candidates.map((candidate) => ({ kind: 'candidate', candidate }));
  }
}

function candidateItem({ candidate }: CandidateNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(candidate.task_text), vscode.TreeItemCollapsibleState.Collapsed);
  const spread = vscode.l10n.t('spread {0}', decimals(candidate.similarity_spread));
  const hits = vscode.l10n.t('{0} hits', candidate.hits);
  item.id = candidate.entry_id;
  item.description = `${spread} · ${hits}`;
  item.iconPath = new vscode.ThemeIcon('git-compare');
  item.tooltip = new vscode.MarkdownString()
    .appendText(candidate.task_text)
    .appendMarkdown('\n\n')
    .appendText(
      vscode.l10n.t(
        '{0} questions, from similarity {1} to {2}: one answer may be serving several tasks.',
        candidate.distinct_queries,
        decimals(candidate.similarity_min),
        decimals(candidate.similarity_max),
      ),
    );
  item.accessibilityInformation = { label: `${oneLine(candidate.task_text)}, ${spread}, ${hits}` };
  item.contextValue = 'candidate';
  return item;
}

function questionItem({ question, candidate }: QuestionNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(question.text));
  const similarity = decimals(question.similarity_min);
  const times = question.count === 1 ? vscode.l10n.t('once') : vscode.l10n.t('{0} times', question.count);
  item.id = `${candidate.entry_id} ${question.text}`;
  item.description = `${similarity} · ${times} · ${ageOf(question.last_at, Date.now() / 1000, vscode.env.language)}`;
  item.iconPath = new vscode.ThemeIcon('question');
  item.tooltip = new vscode.MarkdownString().appendText(question.text);
  item.accessibilityInformation = {
    label: vscode.l10n.t('{0}, similarity {1}, {2}', oneLine(question.text), similarity, times),
  };
  item.contextValue = 'question';
  return item;
}

function decimals(value: number): string {
  return value.toFixed(2);
}
