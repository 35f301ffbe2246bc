import type * as vscode from 'vscode';
import type { Memory } from './memory.js';
import type { Place, ServerLaunch } from './serverLaunch.js';
import type { DriftView } from './views/driftView.js';
import type { InboxView } from './views/inboxView.js';
import type { MemoriesView } from './views/memoriesView.js';

/** What the commands of one window work with. */
export interface Window {
  readonly memory: Memory;
  readonly log: vscode.LogOutputChannel;
  readonly views: {
    readonly memories: MemoriesView;
    readonly inbox: InboxView;
    readonly drift: DriftView;
  };
  /** The choice of a project, which lasts as long as the workspace. */
  readonly state: vscode.Memento;
  readonly place: () => Place;
  readonly launch: () => ServerLaunch;
  /** Whom it concerns starts again with what was chosen. */
  readonly launchChanged: () => void;
  readonly version: string;
  /** Absolute path of the installed extension. */
  readonly extensionPath: string;
}
