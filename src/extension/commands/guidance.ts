import * as vscode from 'vscode';
import {
  addGuidance as add,
  guidanceFile,
  hasGuidance,
  previewGuidance,
  removeGuidance as remove,
  type GuidancePlace,
} from '../../clients/guidance.js';
import type { Window } from '../window.js';
import { clientWorld } from './clientWorld.js';
import { requireTrust } from './confirm.js';
import { confirmedChange } from './preview.js';

const PLACES: readonly GuidancePlace[] = [
  { kind: 'claude-md', scope: 'user' },
  { kind: 'claude-md', scope: 'project' },
  { kind: 'skill', scope: 'user' },
  { kind: 'skill', scope: 'project' },
];

/** Tells agents when to use memory, in a file they read, after showing the change. */
export async function addGuidance(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const place = await pick(window, vscode.l10n.t('Add Guidance for Agents'), PLACES);
  if (!place) return;
  const preview = await previewGuidance('add', place, world);
  if (!preview.changed) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The guidance is in {0} already.', preview.file));
    return;
  }
  const question = vscode.l10n.t('Add the guidance for agents?');
  if (!(await confirmedChange({ ...preview, keepsCopy: false }, question, vscode.l10n.t('Add')))) return;
  await add(place, world);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Agents read the guidance from their next session on.'),
  );
}

/** Takes exactly that out again. */
export async function removeGuidance(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const there = await Promise.all(
    PLACES.map(async (place) => ((await hasGuidance(place, world)) ? [place] : [])),
  );
  if (there.flat().length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no guidance of Subconscious to remove.'),
    );
    return;
  }
  const place = await pick(window, vscode.l10n.t('Remove Guidance for Agents'), there.flat());
  if (!place) return;
  const preview = await previewGuidance('remove', place, world);
  const question = vscode.l10n.t('Remove the guidance for agents?');
  if (!(await confirmedChange({ ...preview, keepsCopy: false }, question, vscode.l10n.t('Remove')))) return;
  await remove(place, world);
  void vscode.window.showInformationMessage(vscode.l10n.t('The guidance is removed.'));
}

async function pick(
  window: Window,
  title: string,
  places: readonly GuidancePlace[],
): Promise<GuidancePlace | undefined> {
  const world = clientWorld(window);
  const items = places.map((place) => ({ label: nameOf(place), detail: guidanceFile(place, world), place }));
  return (await vscode.window.showQuickPick(items, { title }))?.place;
}

function nameOf({ kind, scope }: GuidancePlace): string {
  if (kind === 'skill') {
    return scope === 'user'
      ? vscode.l10n.t('As a skill, for all my projects')
      : vscode.l10n.t('As a skill, for this project');
  }
  return scope === 'user'
    ? vscode.l10n.t('In CLAUDE.md, for all my projects')
    : vscode.l10n.t('In CLAUDE.md of this project');
}
