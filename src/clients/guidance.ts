import { dirname } from 'node:path';
import { holdFile, refuseUnwritable, removeEmptyFolders, rewrite, type FileChange } from './changeFile.js';
import { claudeFolder } from './claudeFolder.js';
import { ClientError } from './clientError.js';
import type { Places } from './clientTable.js';
import { addBlock, hasBlock, hasOtherBlock, removeBlock } from './guidanceEdits.js';
import { guidanceBlock, skillText } from './guidanceText.js';
import { pathsOf } from './launcherPath.js';
import { RecordBook } from './recordBook.js';
import { inWords, readSettings } from './settingsFile.js';
import { withoutLinks } from './settingsPath.js';
import { changeText } from './settingsText.js';

/** What agents are told about memory: in the file they always read, or as a skill they read when they need it. */
export const GUIDANCE_KINDS = ['claude-md', 'skill'] as const;
export type GuidanceKind = (typeof GUIDANCE_KINDS)[number];

/** Where: for all of the user's projects, or the folder's. */
export interface GuidancePlace {
  readonly kind: GuidanceKind;
  readonly scope: 'user' | 'project';
}

/** The outermost folders that were made for a file. */
const MADE = new RecordBook<string>('guidance.json', {
  parse: ({ madeFolder }) => (typeof madeFolder === 'string' ? madeFolder : null),
  print: (madeFolder) => ({ madeFolder }),
});

type GuidanceWorld = Places & { readonly now: () => number };

export interface GuidanceChange {
  readonly file: string;
  readonly changed: boolean;
  /** The file before, where what was between the marks is not as this version writes it: a person may have changed it. */
  readonly backup: string | null;
}

/** Texts are whole files; null stands for no file. */
export interface GuidancePreview extends Omit<GuidanceChange, 'backup'> {
  readonly before: string | null;
  readonly after: string | null;
}

/** Absolute path of the file. */
export function guidanceFile({ kind, scope }: GuidancePlace, places: Places): string {
  const paths = pathsOf(places.platform);
  const folder = scope === 'user' ? claudeFolder(places) : paths.join(places.folder, '.claude');
  if (kind === 'skill') return paths.join(folder, 'skills', 'subconscious', 'SKILL.md');
  return paths.join(scope === 'user' ? folder : places.folder, 'CLAUDE.md');
}

/** Whether it is there, in whichever version. A file that cannot be read has none. */
export async function hasGuidance(place: GuidancePlace, world: Places): Promise<boolean> {
  const content = await readSettings(guidanceFile(place, world)).catch(() => null);
  return content !== null && hasBlock(content.toString());
}

/**
 * Throws the {@link ClientError} with which {@link addGuidance} would refuse, as far as that can be known beforehand.
 * Nothing is written.
 */
export async function checkGuidance(place: GuidancePlace, world: GuidanceWorld): Promise<void> {
  const { changed } = await previewGuidance('add', place, world);
  if (changed) await refuseUnwritable(changeOf(place, world));
}

/** Adds the guidance between its marks, or brings it up to date. Throws a {@link ClientError} where that is refused. */
export async function addGuidance(place: GuidancePlace, world: GuidanceWorld): Promise<GuidanceChange> {
  const change = changeOf(place, world);
  const done = await holdFile(change, true, async ({ file, madeFolder }) => {
    if (madeFolder !== null) await MADE.write(world.home, file, madeFolder);
    return await rewrite(change, file, (seen) => ({
      content: withGuidance(seen, place, change.path),
      keepsBackup: isEdited(seen),
    }));
  });
  return { file: change.path, ...done };
}

/** Takes the guidance out, and a file away that has nothing else. Throws a {@link ClientError} where that is refused. */
export async function removeGuidance(place: GuidancePlace, world: GuidanceWorld): Promise<GuidanceChange> {
  const change = changeOf(place, world);
  const { changed, after } = await previewGuidance('remove', place, world);
  // There may be no folder for a lock.
  if (!changed) return { file: change.path, changed, backup: null };
  const { file, ...done } = await holdFile(change, false, async (held) => ({
    file: held.file,
    ...(await rewrite(change, held.file, (seen) => ({
      content: withoutGuidance(seen, place, change.path),
      keepsBackup: isEdited(seen),
    }))),
  }));
  if (after === null) {
    const folder = dirname(file);
    // That of a skill is its own.
    const made = (await MADE.read(world.home, file)) ?? (place.kind === 'skill' ? folder : null);
    await removeEmptyFolders(folder, made);
    await MADE.remove(world.home, file, () => Promise.resolve());
  }
  return { file: change.path, ...done };
}

/** What adding or removing would change. Nothing is written. */
export async function previewGuidance(
  what: 'add' | 'remove',
  place: GuidancePlace,
  world: GuidanceWorld,
): Promise<GuidancePreview> {
  const { path, home, otherwise } = changeOf(place, world);
  try {
    const seen = await readSettings(await withoutLinks(path));
    const content = (what === 'add' ? withGuidance : withoutGuidance)(seen, place, path);
    const texts = { before: seen?.toString() ?? null, after: content?.toString() ?? null };
    return { file: path, changed: content !== seen, ...texts };
  } catch (error) {
    throw inWords(error, path, home, otherwise);
  }
}

function changeOf(place: GuidancePlace, world: GuidanceWorld): FileChange {
  return {
    home: world.home,
    path: guidanceFile(place, world),
    now: world.now(),
    otherwise: 'write into that file by hand',
  };
}

/** What is between the marks is ours, and all else stays: nothing else can get lost. */
function isEdited(seen: Buffer | null): boolean {
  return seen !== null && hasOtherBlock(seen.toString());
}

function withGuidance(seen: Buffer | null, { kind }: GuidancePlace, file: string): Buffer {
  if (seen === null) return Buffer.from(kind === 'skill' ? skillText() : `${guidanceBlock('\n')}\n`);
  return changeText(seen, file, (text) => {
    if (kind === 'skill' && !hasBlock(text)) throw otherSkill(file);
    return addBlock(text, file);
  });
}

function withoutGuidance(seen: Buffer | null, { kind }: GuidancePlace, file: string): Buffer | null {
  if (seen === null) return null;
  const content = changeText(seen, file, (text) => removeBlock(text, file));
  return content !== seen && isMadeByUs(seen.toString(), content.toString(), kind) ? null : content;
}

/** `rest` is what is left without our block. One with a line break behind it and nothing else we have made: see `addBlock`. */
function isMadeByUs(text: string, rest: string, kind: GuidanceKind): boolean {
  if (kind === 'claude-md') return rest === '' && text.endsWith('\n');
  return /^---\r?\nname: subconscious\r?\n[^\r\n]*\r?\n---\s*$/.test(rest);
}

function otherSkill(file: string): ClientError {
  return new ClientError(
    `${file} is another skill of the same name. Nothing was changed. Move it, and run the command again.`,
  );
}
