import * as vscode from 'vscode';
import { commandId, SCHEME } from '../contributions.js';
import { documentPath } from '../documents/memoryUri.js';
import { oneLine } from '../documents/reports.js';
import { ageOf } from './age.js';
import { nodeId, type GroupNode, type MemoryNode, type Node, type VersionNode } from './memoryNodes.js';
import { problemItem } from './problem.js';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;
/** Query of the address of a row that is shown dimmed. */
export const DIMMED = 'dimmed';

/** How a row of the memories looks. */
export function itemOf(node: Node, groupBy: 'tag' | 'time', filter: string): vscode.TreeItem {
  const item = looksOf(node, groupBy);
  // What is unfolded begins anew with each filter; without one what the user had unfolded is so again.
  const where = filter === '' ? groupBy : `filtered ${JSON.stringify(filter)} ${groupBy}`;
  if (node.kind !== 'problem') item.id = `${where} ${nodeId(node)}`;
  return item;
}

function looksOf(node: Node, groupBy: 'tag' | 'time'): vscode.TreeItem {
  switch (node.kind) {
    case 'project': {
      const { key, name, current, count } = node.project;
      const item = new vscode.TreeItem(
        key === '' ? vscode.l10n.t('All projects') : name,
        node.unfolded ? Expanded : Collapsed,
      );
      item.description = current ? vscode.l10n.t('{0}, this project', count) : String(count);
      item.iconPath = new vscode.ThemeIcon(key === '' ? 'globe' : current ? 'folder-active' : 'folder');
      item.tooltip = key.startsWith('path:') ? key.slice('path:'.length) : name;
      item.contextValue = 'project';
      return item;
    }
    case 'group': {
      const item = new vscode.TreeItem(groupName(node), node.unfolded ? Expanded : Collapsed);
      item.description = String(node.group.count);
      item.iconPath = new vscode.ThemeIcon(groupBy === 'time' ? 'calendar' : 'tag');
      item.contextValue = 'group';
      return item;
    }
    case 'memory':
      return memoryItem(node);
    case 'version':
      return versionItem(node);
    case 'more': {
      const item = new vscode.TreeItem(vscode.l10n.t('Load more ({0} left)', node.left), None);
      item.iconPath = new vscode.ThemeIcon('ellipsis');
      item.command = { command: commandId('loadMore'), title: vscode.l10n.t('Load more'), arguments: [node] };
      item.contextValue = 'more';
      return item;
    }
    case 'moreTags': {
      const item = new vscode.TreeItem(vscode.l10n.t('{0} more tags: filter for them', node.left), None);
      item.iconPath = new vscode.ThemeIcon('filter');
      item.command = { command: commandId('filterMemories'), title: vscode.l10n.t('Filter Memories') };
      item.contextValue = 'moreTags';
      return item;
    }
    case 'problem':
      return problemItem(node);
  }
}

function memoryItem(node: MemoryNode): vscode.TreeItem {
  const { memory } = node;
  const state = memory.superseded
    ? vscode.l10n.t('replaced')
    : memory.expired
      ? vscode.l10n.t('expired')
      : '';
  const item = new vscode.TreeItem(oneLine(memory.task_text), memory.versions > 0 ? Collapsed : None);
  const hits =
    memory.hits === 0
      ? ''
      : memory.hits === 1
        ? vscode.l10n.t('1 hit')
        : vscode.l10n.t('{0} hits', memory.hits);
  const age = ageOf(memory.stored_at, Date.now() / 1000, vscode.env.language);
  item.description = [state, age, hits].filter((part) => part !== '').join(' · ');
  item.iconPath = iconOf(memory.superseded ? 'history' : memory.expired ? 'clock' : 'note', state !== '');
  item.resourceUri = uriOf(memory.entry_id, memory.task_text, state !== '');
  item.tooltip = new vscode.MarkdownString().appendText(memory.task_text);
  if (memory.tags.length > 0)
    item.tooltip.appendMarkdown('\n\n').appendText(vscode.l10n.t('Tags: {0}', memory.tags.join(', ')));
  item.tooltip
    .appendMarkdown('\n\n')
    .appendText(
      vscode.l10n.t('Stored {0}', new Date(memory.stored_at * 1000).toLocaleString(vscode.env.language)),
    );
  item.accessibilityInformation = {
    label: [oneLine(memory.task_text), state, age, hits].filter((part) => part !== '').join(', '),
  };
  item.command = { command: commandId('editMemory'), title: vscode.l10n.t('Open'), arguments: [node] };
  item.contextValue = memory.superseded ? 'old' : 'memory';
  return item;
}

function versionItem(node: VersionNode): vscode.TreeItem {
  const { version } = node;
  const item = new vscode.TreeItem(oneLine(version.task_text), None);
  const age = ageOf(version.stored_at, Date.now() / 1000, vscode.env.language);
  const what = version.kind === 'episode' ? vscode.l10n.t('session') : vscode.l10n.t('earlier');
  item.description = `${what} · ${age}`;
  item.iconPath = iconOf(version.kind === 'episode' ? 'comment-discussion' : 'history', true);
  item.resourceUri = uriOf(version.entry_id, version.task_text, true);
  item.tooltip = new vscode.MarkdownString().appendText(version.task_text);
  item.accessibilityInformation = { label: `${oneLine(version.task_text)}, ${what}, ${age}` };
  item.command = { command: commandId('compareVersion'), title: vscode.l10n.t('Compare'), arguments: [node] };
  item.contextValue = version.kind === 'episode' ? 'session' : 'version';
  return item;
}

function groupName({ group, index }: GroupNode): string {
  if (group.tag !== undefined) return group.tag ?? vscode.l10n.t('Without a tag');
  const names = [
    vscode.l10n.t('Today'),
    vscode.l10n.t('Yesterday'),
    vscode.l10n.t('Last 7 days'),
    vscode.l10n.t('Last 30 days'),
  ];
  return names[index] ?? vscode.l10n.t('Older');
}

function iconOf(name: string, dimmed: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(name, dimmed ? new vscode.ThemeColor('disabledForeground') : undefined);
}

function uriOf(id: string, title: string, dimmed: boolean): vscode.Uri {
  return vscode.Uri.from({
    scheme: SCHEME,
    path: documentPath({ kind: 'memory', id }, title),
    query: dimmed ? DIMMED : '',
  });
}

/** Dims the rows of what is expired or replaced; their description says so too. */
export function dimRows(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) =>
      scheme === SCHEME && query === DIMMED
        ? { color: new vscode.ThemeColor('disabledForeground') }
        : undefined,
  });
}
