import * as vscode from 'vscode';
import { CONTEXT_KEYS, VIEWS } from '../contributions.js';
import type { ContextKeys } from '../contextKeys.js';
import type { Memory } from '../memory.js';
import type { Entry, Listing, Outline } from '../results.js';
import { timeGroups } from './age.js';
import { itemOf } from './memoryItems.js';
import {
  belowProject,
  groupId,
  projectNodes,
  type GroupNode,
  type MemoryNode,
  type Node,
} from './memoryNodes.js';
import { rowsOrProblem } from './problem.js';

/** Rows of a group at first, and with each "Load more". */
const PAGE = 100;
const STATE = 'memories';
/** What is wrong with the store where nothing can be written. */
const UNWRITABLE: readonly string[] = ['read_only', 'writes_refused'];

/** What is used of the server's own state. */
interface Stats {
  readonly health: readonly { readonly code: string; readonly message: string }[];
}

interface ViewState {
  readonly groupBy: 'tag' | 'time';
  readonly hidden: boolean;
}

/** What is remembered, by project and then by tag or time. Nothing is asked for until it is visible. */
export class MemoriesView implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly view: vscode.TreeView<Node>;
  private readonly subscription: vscode.Disposable;
  private readonly pages = new Map<string, number>();
  private state: ViewState;
  private filter = '';

  readonly onDidChangeTreeData = this.changed.event;

  constructor(
    private readonly memory: Memory,
    private readonly keys: ContextKeys,
    private readonly memento: vscode.Memento,
  ) {
    this.state = memento.get<ViewState>(STATE, { groupBy: 'time', hidden: false });
    this.view = vscode.window.createTreeView(VIEWS.memories, { treeDataProvider: this, canSelectMany: true });
    this.tellKeys();
    this.subscription = memory.onDidChange(() => this.refresh());
  }

  get filterText(): string {
    return this.filter;
  }

  refresh(): void {
    this.changed.fire();
  }

  setFilter(text: string): void {
    this.filter = text.trim();
    this.tellKeys();
    this.refresh();
  }

  async setState(change: Partial<ViewState>): Promise<void> {
    this.state = { ...this.state, ...change };
    this.tellKeys();
    this.refresh();
    await this.memento.update(STATE, this.state);
  }

  loadMore(node: Node): void {
    if (node.kind !== 'more') return;
    const id = groupId(node.parent);
    this.pages.set(id, (this.pages.get(id) ?? 1) + 1);
    this.refresh();
  }

  getTreeItem(node: Node): vscode.TreeItem {
    return itemOf(node, this.state.groupBy, this.filter);
  }

  getChildren(node?: Node): Promise<Node[]> {
    return rowsOrProblem<Node>(this.memory, async () => {
      if (node === undefined) return await this.projects();
      if (node.kind === 'project') return belowProject(node);
      if (node.kind === 'group') return await this.memories(node);
      if (node.kind === 'memory') return await this.versions(node);
      return [];
    });
  }

  dispose(): void {
    this.subscription.dispose();
    this.view.dispose();
    this.changed.dispose();
  }

  private async projects(): Promise<Node[]> {
    const { filter } = this;
    const starts = this.state.groupBy === 'time' ? timeGroups(new Date()) : [];
    const asked = { group_by: this.state.groupBy, since: starts, ...this.shown() };
    const [{ projects, total }, trouble] = await Promise.all([
      this.memory.call<Outline>('outline', asked),
      this.trouble(),
    ]);
    this.view.message = trouble ?? '';
    // Not as a message, which would hide the welcome text where nothing is found.
    const found = total === 0 ? '' : String(total);
    const words = filter === '' ? found : `${found} "${filter}"`.trim();
    // Else it is said by the rows that are on their way.
    if (filter === this.filter) this.view.description = words;
    return projectNodes(projects, starts, filter !== '');
  }

  /** Why nothing can be stored, and what to do, in the server's words. */
  private async trouble(): Promise<string | undefined> {
    const { health } = await this.memory.call<Stats>('stats');
    return health.find(({ code }) => UNWRITABLE.includes(code))?.message;
  }

  private async memories(parent: GroupNode): Promise<Node[]> {
    const { tag, from } = parent.group;
    const wanted = (this.pages.get(groupId(parent)) ?? 1) * PAGE;
    const found: Node[] = [];
    let cursor: string | undefined;
    do {
      const page: Listing = await this.memory.call<Listing>('list', {
        project: parent.project.key,
        limit: Math.min(500, wanted - found.length),
        ...this.shown(),
        ...(tag !== undefined && { tag }),
        ...(from != null && { from }),
        ...(parent.before !== null && { before: parent.before }),
        ...(cursor !== undefined && { cursor }),
      });
      found.push(...page.entries.map((memory) => ({ kind: 'memory' as const, memory, parent })));
      cursor = page.next;
      if (cursor !== undefined && found.length >= wanted) {
        found.push({ kind: 'more', parent, left: page.total - found.length });
      }
    } while (cursor !== undefined && found.length < wanted);
    return found;
  }

  private async versions(parent: MemoryNode): Promise<Node[]> {
    const current = parent.memory;
    const { history } = await this.memory.call<Entry>('get_entry', { entry_id: current.entry_id });
    return history.map((version) => ({ kind: 'version', version, current, parent }));
  }

  private shown() {
    return { hidden: this.state.hidden, ...(this.filter !== '' && { filter: this.filter }) };
  }

  private tellKeys(): void {
    this.keys.set(CONTEXT_KEYS.filtered, this.filter !== '');
    this.keys.set(CONTEXT_KEYS.groupBy, this.state.groupBy);
    this.keys.set(CONTEXT_KEYS.hiddenShown, this.state.hidden);
  }
}
