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

/** The folder of the active choice, else the first one that lies on a disk, else the home folder. */
export function currentPlace(state: vscode.Memento): Place {
  const { folder, project } = state.get<Choice>(KEY, {});
  const folders = diskFolders();
  const chosen = folders.find(({ uri }) => uri.toString() === folder) ?? folders[0];
  return { directory: chosen?.uri.fsPath ?? homeFolder(), project: project ?? null };
}

/** Folders of this window a project can be taken from. */
export function diskFolders(): vscode.WorkspaceFolder[] {
  return (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
}

export async function choosePlace(state: vscode.Memento, choice: Choice): Promise<void> {
  await state.update(KEY, choice);
}
