import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { noteShown, readBrief, wasShown, writeBrief } from '../../src/capture/briefFile.js';
import type { Brief } from '../../src/core/brief.js';
import { GLOBAL_PROJECT } from '../../src/core/memory.js';
import { Briefs } from '../../src/host/briefs.js';
import { until } from '../server/until.js';
import { CaptureRig } from './captureRig.js';

/** What memory would tell a session of this project: these texts. */
function brief(project: string, ...texts: readonly string[]): Brief {
  const items = texts.map((text) => ({ kind: 'memory' as const, text, storedAt: 1, expiresAt: null }));
  return { project, memories: items.length, episodes: 0, items };
}

/** A memory that holds texts of projects, and what is told of it. */
class BriefRig extends CaptureRig {
  readonly texts = new Map<string, readonly string[]>();
  /** Keys of projects, as briefs were made of them. */
  readonly made: string[] = [];
  /** Called when a brief has been made and is not written yet. */
  onMade: (project: string) => void = () => undefined;

  readonly memory = {
    projects: () => [...this.texts.keys()],
    brief: async (project: string): Promise<Brief> => {
      this.made.push(project);
      const found = brief(project, ...(this.texts.get(project) ?? []));
      await Promise.resolve();
      this.onMade(project);
      return found;
    },
  };

  briefs(beforeWrite: () => void = () => undefined): Briefs {
    const { memory: engine, storageDir, log } = this;
    return new Briefs({ engine, storageDir, log, beforeWrite });
  }

  /** What a session of this project would be told; null: nothing. */
  told(project: string): readonly string[] | null {
    return readBrief(this.storageDir, project)?.items.map(({ text }) => text) ?? null;
  }
}

// As a host's socket does, this keeps the process: what waits to be written does not.
const awake = setInterval(() => undefined, 1000);
after(() => clearInterval(awake));

const changeOf = (...projects: readonly string[]) => ({
  ids: ['some'],
  projects,
  // As of a memory there.
  ...(projects.includes(GLOBAL_PROJECT) ? { shared: true as const } : {}),
});
const forgottenIn = (...projects: readonly string[]) => ({
  ...changeOf(...projects),
  forgotten: true as const,
});

test('every project has a brief from the start on, and one that has nothing any more has none', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['of one']).set('two', ['of two', 'more']);
  writeBrief(rig.storageDir, brief('gone', 'forgotten while no host was there'));
  writeBrief(rig.storageDir, brief('one', 'as it was'));
  await rig.briefs().close();
  assert.deepEqual(rig.told('one'), ['of one']);
  assert.deepEqual(rig.told('two'), ['of two', 'more']);
  assert.equal(rig.told('gone'), null);
  assert.equal(readdirSync(join(rig.storageDir, 'briefs')).length, 2);
});

test('a change of what is known of entries, as a recall that hit, is none of a brief', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['of one']).set('two', ['of two']);
  const briefs = rig.briefs();
  await until('both have a brief', () => rig.told('one') !== null && rig.told('two') !== null);
  rig.made.length = 0;
  rig.texts.set('one', ['more often hit']).set('two', ['changed']);
  briefs.changed({ ...changeOf('one', GLOBAL_PROJECT), bookkeeping: true });
  briefs.changed(changeOf('two'));
  await until('two is written', () => rig.told('two')?.[0] === 'changed');
  await briefs.close();
  assert.deepEqual(rig.made, ['two']);
  assert.deepEqual(rig.told('one'), ['of one']);
});

test('a change is written for its project alone, and many at once are written once', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['old']).set('two', ['old']);
  const briefs = rig.briefs();
  await until('both are written', () => rig.told('one') !== null && rig.told('two') !== null);
  rig.made.length = 0;
  rig.texts.set('one', ['new']);
  for (let change = 0; change < 50; change += 1) briefs.changed(changeOf('one'));
  await until('the change is written', () => rig.told('one')?.[0] === 'new');
  await briefs.close();
  assert.deepEqual(rig.made, ['one']);
});

test('a change of what every project sees is written for all of them', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['old']).set('two', ['old']);
  // Of a project that has nothing but global memories.
  writeBrief(rig.storageDir, brief('three', 'a global one'));
  const briefs = rig.briefs();
  await until('both are written', () => rig.told('one') !== null && rig.told('two') !== null);
  rig.texts.set(GLOBAL_PROJECT, ['new']).set('one', ['new']).set('two', ['new']).set('three', ['new']);
  briefs.changed(changeOf(GLOBAL_PROJECT));
  for (const project of [GLOBAL_PROJECT, 'one', 'two', 'three']) {
    await until(`${project} is written`, () => rig.told(project)?.[0] === 'new');
  }
  await briefs.close();
});

test('a change that comes while its project is written is not lost', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['old']);
  const briefs = rig.briefs();
  rig.onMade = () => {
    rig.onMade = () => undefined;
    rig.texts.set('one', ['new']);
    briefs.changed(changeOf('one'));
  };
  await until('the change is written', () => rig.told('one')?.[0] === 'new');
  await briefs.close();
  assert.deepEqual(rig.made, ['one', 'one']);
});

test('a session of the home folder changes its own brief alone', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['of one']).set(GLOBAL_PROJECT, ['old']);
  const briefs = rig.briefs();
  await until('both are written', () => rig.told('one') !== null && rig.told(GLOBAL_PROJECT) !== null);
  rig.made.length = 0;
  rig.texts.delete(GLOBAL_PROJECT);
  briefs.changed({ ids: ['episode-1'], projects: [GLOBAL_PROJECT], forgotten: true });
  assert.deepEqual([rig.told('one'), rig.told(GLOBAL_PROJECT)], [['of one'], null]);
  await briefs.close();
  assert.deepEqual(rig.made, [GLOBAL_PROJECT]);
});

test('what is forgotten while its project is written is not written any more', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['to be forgotten']);
  const writes: string[] = [];
  const briefs = rig.briefs(() => writes.push(rig.texts.get('one')?.join() ?? ''));
  rig.onMade = () => {
    rig.onMade = () => undefined;
    rig.texts.set('one', ['new']);
    briefs.changed(forgottenIn('one'));
  };
  await until('the rest is written', () => rig.told('one')?.[0] === 'new');
  await briefs.close();
  // One to remove the file, one to write it.
  assert.deepEqual(writes, ['new', 'new']);
});

test('what was forgotten is gone at once, of a global one everywhere, and the rest comes back', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['of one', 'to be forgotten']).set('two', ['of two']);
  const briefs = rig.briefs();
  await until('both are written', () => rig.told('one') !== null && rig.told('two') !== null);
  rig.texts.set('one', ['of one']);
  briefs.changed(forgottenIn('one'));
  assert.equal(rig.told('one'), null);
  assert.deepEqual(rig.told('two'), ['of two']);
  await until('the rest is written', () => rig.told('one')?.length === 1);

  briefs.changed(forgottenIn(GLOBAL_PROJECT));
  assert.deepEqual([rig.told('one'), rig.told('two')], [null, null]);
  await until('both are back', () => rig.told('one') !== null && rig.told('two') !== null);
  await briefs.close();
});

test('what changed last is written before the end', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['to be forgotten']);
  const briefs = rig.briefs();
  await until('it is written', () => rig.told('one') !== null);
  rig.texts.delete('one');
  // As by another way than forgetting: it has expired, or grown out of what there is room for.
  briefs.changed(changeOf('one'));
  await briefs.close();
  assert.equal(rig.told('one'), null);
});

test('nothing is written where the directory is no longer ours, and one failure does not stop the others', async () => {
  const rig = new BriefRig();
  rig.texts.set('one', ['of one']);
  const lost = rig.briefs(() => {
    throw new Error('another directory lies there');
  });
  await lost.close();
  assert.deepEqual(readdirSync(rig.storageDir), []);
  assert.match(rig.logged.join('\n'), /^WARNING brief: Error: another directory lies there/);

  rig.texts.set('two', ['of two']);
  rig.onMade = (project) => {
    if (project === 'one') throw new Error('not this one');
  };
  await rig.briefs().close();
  assert.equal(rig.told('one'), null);
  assert.deepEqual(rig.told('two'), ['of two']);
});

test('which session was shown what is forgotten after a week', async () => {
  const rig = new BriefRig();
  const shown = join(rig.storageDir, 'briefs', 'shown');
  mkdirSync(shown, { recursive: true });
  const days = (count: number) => Date.now() / 1000 - count * 24 * 3600;
  for (const [session, age] of [
    ['new', 6],
    ['old', 8],
  ] as const) {
    noteShown(rig.storageDir, session, 'the brief');
    utimesSync(join(shown, session), days(age), days(age));
  }
  await rig.briefs().close();
  assert.deepEqual(readdirSync(shown), ['new']);
  assert.equal(wasShown(rig.storageDir, 'new', 'the brief'), true);
});

test('a file in the place of the folder is said, and taken for nothing else', async () => {
  const rig = new BriefRig();
  writeFileSync(join(rig.storageDir, 'briefs'), 'no briefs, please');
  rig.texts.set('one', ['of one']);
  await rig.briefs().close();
  assert.match(rig.logged[0] ?? '', /^WARNING brief: .*(ENOTDIR|EEXIST)/);
});
