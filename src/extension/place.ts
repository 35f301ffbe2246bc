import * as vscode from 'vscode';
import { homeFolder } from '../project/person.js';
import type { Place } from './serverLaunch.js';

/** The user's choice for this window. Not a setting: a repository must not be able to name another project. */
interface Choice {
  /** URI of a folder of this workspace. */
  readonly folder?: string;
  /** Name of a project. */
  readonly project?: string;
}

const KEY = 'project';

/** Whose memory this window uses: that of its folder or, where it has none, of the home folder. */
export function currentPlace(state: vscode.Memento): Place {
  const directory = currentFolder(state)?.uri.fsPath ?? homeFolder();
  return { directory, project: state.get<Choice>(KEY, {}).project ?? null };
}

/** The folder of the active choice, else the first one that lies on a disk; undefined where none is open. */
export function currentFolder(state: vscode.Memento): vscode.WorkspaceFolder | undefined {
  const { folder } = state.get<Choice>(KEY, {});
  const folders = diskFolders();
  return folders.find(({ uri }) => uri.toString() === folder) ?? folders[0];
}

/** Folders of this window a project can be taken from. */
export function diskFolders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

export async function choosePlace(state: vscode.Memento, choice: Choice): Promise<void> {
  await state.update(KEY, choice);
}
