import * as vscode from 'vscode';
import {
  addGuidance as add,
  GUIDANCE_KINDS,
  guidanceFile,
  hasGuidance,
  previewGuidance,
  removeGuidance as remove,
  type GuidancePlace,
} from '../../clients/guidance.js';
import { currentFolder } from '../place.js';
import type { Window } from '../window.js';
import { clientWorld } from './clientWorld.js';
import { requireTrust } from './confirm.js';
import { confirmedChange } from './preview.js';

/** The project's are those of the folder this window uses. */
function placesOf({ state }: Window): GuidancePlace[] {
  const scopes = currentFolder(state) ? (['user', 'project'] as const) : (['user'] as const);
  return GUIDANCE_KINDS.flatMap((kind) => scopes.map((scope) => ({ kind, scope })));
}

/** Tells agents when to use memory, in a file they read, after showing the change. */
export async function addGuidance(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const place = await pick(window, vscode.l10n.t('Add Guidance for Agents'), placesOf(window));
  if (!place) return;
  const preview = await previewGuidance('add', place, world);
  if (!preview.changed) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The guidance is in {0} already.', preview.file));
    return;
  }
  const question = vscode.l10n.t('Add the guidance for agents?');
  if (!(await confirmedChange({ ...preview, keepsCopy: false }, question, vscode.l10n.t('Add')))) return;
  const { backup } = await add(place, world);
  tell(vscode.l10n.t('Agents read the guidance from their next session on.'), backup);
}

/** Takes exactly that out again. */
export async function removeGuidance(window: Window): Promise<void> {
  requireTrust();
  const world = clientWorld(window);
  const there = await Promise.all(
    placesOf(window).map(async (place) => ((await hasGuidance(place, world)) ? [place] : [])),
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
  const { backup } = await remove(place, world);
  tell(vscode.l10n.t('The guidance is removed.'), backup);
}

/** A copy is kept where somebody had written into the guidance. */
function tell(done: string, backup: string | null): void {
  const copy = backup === null ? '' : vscode.l10n.t('The file as it was before is {0}.', backup);
  void vscode.window.showInformationMessage(`${done} ${copy}`.trim());
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
