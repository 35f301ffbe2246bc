import * as vscode from 'vscode';
import { commandId, VIEWS } from '../contributions.js';
import { oneLine } from '../documents/reports.js';
import { maskCount } from '../documents/masks.js';
import type { Memory } from '../memory.js';
import type { Episode, EpisodeListing, ListedEpisode } from '../results.js';
import { ageOf } from './age.js';
import { problemItem, rowsOrProblem, type ProblemNode } from './problem.js';

const PAGE = 100;

export interface EpisodeNode {
  readonly kind: 'episode';
  readonly episode: ListedEpisode;
}

interface TurnNode {
  readonly kind: 'turn';
  readonly turn: Episode['turns'][number];
  readonly episode: ListedEpisode;
  readonly index: number;
}

interface OlderNode {
  readonly kind: 'older';
  readonly left: number;
}

export type InboxNode = EpisodeNode | TurnNode | OlderNode | ProblemNode;

/** What sessions did and nobody has looked at, newest first; their number is on the icon. */
export class InboxView implements vscode.TreeDataProvider<InboxNode>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly view: vscode.TreeView<InboxNode>;
  private readonly subscription: vscode.Disposable;
  private pages = 1;

  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly memory: Memory) {
    this.view = vscode.window.createTreeView(VIEWS.inbox, { treeDataProvider: this, canSelectMany: true });
    this.subscription = memory.onDidChange(() => this.refresh());
  }

  refresh(): void {
    this.changed.fire();
    // Of a view that is folded nobody asks for rows; the number on the icon is to be right all the same.
    if (!this.view.visible && this.memory.isRunning) void this.count();
  }

  loadMore(): void {
    this.pages += 1;
    this.refresh();
  }

  getTreeItem(node: InboxNode): vscode.TreeItem {
    switch (node.kind) {
      case 'episode':
        return episodeItem(node);
      case 'turn':
        return turnItem(node);
      case 'older': {
        const item = new vscode.TreeItem(vscode.l10n.t('Load more ({0} left)', node.left));
        item.iconPath = new vscode.ThemeIcon('ellipsis');
        item.command = {
          command: commandId('loadMore'),
          title: vscode.l10n.t('Load more'),
          arguments: [node],
        };
        return item;
      }
      case 'problem':
        return problemItem(node);
    }
  }

  getChildren(node?: InboxNode): Promise<InboxNode[]> {
    return rowsOrProblem<InboxNode>(this.memory, async () => {
      if (node === undefined) return await this.episodes();
      if (node.kind !== 'episode') return [];
      const { episode } = node;
      const asked = { entry_id: episode.entry_id, any_project: true };
      const { turns } = await this.memory.call<Episode>('get_episode', asked);
      return turns.map((turn, index) => ({ kind: 'turn', turn, episode, index }));
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private async episodes(): Promise<InboxNode[]> {
    const found: InboxNode[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < this.pages; page += 1) {
      const { counts, episodes, next } = await this.page(PAGE, cursor);
      this.showCount(counts.ingested);
      found.push(...episodes.map((episode) => ({ kind: 'episode' as const, episode })));
      cursor = next;
      if (cursor === undefined) return found;
      if (page === this.pages - 1) found.push({ kind: 'older', left: counts.ingested - found.length });
    }
    return found;
  }

  private async count(): Promise<void> {
    try {
      this.showCount((await this.page(1)).counts.ingested);
    } catch {
      // The other views say it.
    }
  }

  private page(limit: number, cursor?: string): Promise<EpisodeListing> {
    const rest = cursor === undefined ? {} : { cursor };
    return this.memory.call<EpisodeListing>('episodes', { scope: 'all', status: 'ingested', limit, ...rest });
  }

  private showCount(value: number): void {
    const tooltip =
      value === 1 ? vscode.l10n.t('1 session to look at') : vscode.l10n.t('{0} sessions to look at', value);
    this.view.badge = value === 0 ? undefined : { value, tooltip };
  }
}

function episodeItem({ episode }: EpisodeNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(episode.task_text), vscode.TreeItemCollapsibleState.Collapsed);
  const age = ageOf(episode.stored_at, Date.now() / 1000, vscode.env.language);
  const turns = episode.turns === 1 ? vscode.l10n.t('1 turn') : vscode.l10n.t('{0} turns', episode.turns);
  const masked = maskedWords(maskCount(`${episode.task_text}\n${episode.outcome}`));
  item.id = episode.entry_id;
  item.description = [episode.project, turns, age, masked].filter((part) => part !== '').join(' · ');
  item.iconPath = new vscode.ThemeIcon('comment-discussion');
  item.tooltip = new vscode.MarkdownString()
    .appendText(episode.task_text)
    .appendMarkdown('\n\n')
    .appendText(episode.outcome)
    .appendMarkdown('\n\n')
    .appendText(episode.directory);
  item.accessibilityInformation = {
    label: [oneLine(episode.task_text), episode.project, turns, age, masked]
      .filter((part) => part !== '')
      .join(', '),
  };
  item.contextValue = 'episode';
  return item;
}

function turnItem({ turn, episode, index }: TurnNode): vscode.TreeItem {
  const item = new vscode.TreeItem(oneLine(turn.task));
  item.id = `${episode.entry_id} ${index}`;
  item.description = maskedWords(maskCount(`${turn.task}\n${turn.outcome}`));
  item.iconPath = new vscode.ThemeIcon('comment');
  item.tooltip = new vscode.MarkdownString().appendText(turn.outcome);
  item.command = {
    command: commandId('openTranscript'),
    title: vscode.l10n.t('Open Transcript'),
    arguments: [{ kind: 'episode', episode } satisfies EpisodeNode],
  };
  item.contextValue = 'turn';
  return item;
}

function maskedWords(count: number): string {
  if (count === 0) return '';
  return count === 1 ? vscode.l10n.t('1 part masked') : vscode.l10n.t('{0} parts masked', count);
}
