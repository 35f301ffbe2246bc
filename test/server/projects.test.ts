import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repository } from './repository.js';
import { Sandbox, WITHOUT_MODEL } from './sandbox.js';
import type { ServerProcess } from './serverProcess.js';

const TASK = 'Which branch do releases come from';

/** Lets a client of this folder say something. One server at a time: the store has one owner. */
async function inFolder<T>(
  box: Sandbox,
  cwd: string,
  ask: (server: ServerProcess) => Promise<T>,
  env = {},
): Promise<T> {
  const server = await box.start({ cwd, env: { ...WITHOUT_MODEL, ...env } });
  const result = await ask(server);
  await server.end();
  return result;
}

const remember =
  (answer: string, scope = 'project') =>
  (server: ServerProcess) =>
    server.call('remember', { task: TASK, answer, scope });
const recalled = async (server: ServerProcess) => (await server.call('recall', { task: TASK })).answer;

test('two folders of one name are two projects', async (t) => {
  const box = new Sandbox(t);
  const [one, two] = [box.folder('one', 'app'), box.folder('two', 'app')];
  const { entry_id } = await inFolder(box, one, remember('main'));
  await inFolder(box, two, async (server) => {
    assert.equal(await recalled(server), null);
    assert.equal((await server.call('search', { query: TASK })).results.length, 0);
    assert.deepEqual((await server.call('echo', { task: TASK })).echoes, []);
    assert.match(await server.refusal('get', { entry_id }), /in this project/);
    assert.deepEqual(await server.call('forget', { entry_id }), { forgotten: false });
    assert.match(
      await server.refusal('remember', { task: TASK, answer: 'x', supersedes: entry_id }),
      /in this project/,
    );
    const { project, total_entries, all_projects_entries, hit_rate_last_100 } = await server.call('stats');
    assert.deepEqual(
      { project, total_entries, all_projects_entries },
      { project: 'app', total_entries: 0, all_projects_entries: 1 },
    );
    assert.equal(hit_rate_last_100, 0);
    const everywhere = await server.call('search', { query: TASK, scope: 'all' });
    assert.equal(everywhere.results[0]?.entry_id, entry_id, 'asked for, it is found');
  });
  assert.equal(await inFolder(box, one, recalled), 'main');
});

test('the worktrees and subfolders of a repository are one project', async (t) => {
  const box = new Sandbox(t);
  const { main, worktree } = repository(box);
  await inFolder(box, main, remember('main'));
  assert.equal(await inFolder(box, worktree, recalled), 'main');
  assert.equal(await inFolder(box, box.folder('work', 'shop', 'src', 'cart'), recalled), 'main');
  const { project } = await inFolder(box, worktree, (server) => server.call('stats'));
  assert.equal(project, 'shop');
});

test('a forged .git file does not open another project', async (t) => {
  const box = new Sandbox(t);
  const { main } = repository(box);
  await inFolder(box, main, remember('secret'));
  const forged = box.folder('downloaded');
  for (const target of [join(main, '.git'), join(main, '.git', 'worktrees', 'shop-hotfix')]) {
    writeFileSync(join(forged, '.git'), `gitdir: ${target}\n`);
    assert.equal(await inFolder(box, forged, recalled), null, target);
  }
});

test('a global memory is seen from every project, and by a client without one', async (t) => {
  const box = new Sandbox(t);
  const app = box.folder('app');
  const { entry_id } = await inFolder(box, app, remember('everywhere', 'global'));
  for (const folder of [app, box.folder('other'), box.home]) {
    assert.equal(await inFolder(box, folder, recalled), 'everywhere');
  }
  const entry = await inFolder(box, box.folder('other'), (server) => server.call('get', { entry_id }));
  assert.equal(entry.scope, 'global');
});

test('the home folder is no project: only global memories are seen there', async (t) => {
  const box = new Sandbox(t);
  await inFolder(box, box.folder('app'), remember('of the app'));
  await inFolder(box, box.home, async (server) => {
    assert.equal(await recalled(server), null);
    assert.equal((await server.call('stats')).total_entries, 0);
  });
});

test('a namespace is one project wherever its clients are, and the project folder can be named', async (t) => {
  const box = new Sandbox(t);
  const [app, other] = [box.folder('app'), box.folder('other')];
  const team = { SUBCONSCIOUS_NAMESPACE: 'Team A' };
  await inFolder(box, app, remember('of the team'), team);
  assert.equal(await inFolder(box, other, recalled, team), 'of the team');
  assert.equal(await inFolder(box, app, recalled), null);
  await inFolder(box, app, remember('of the app'));
  assert.equal(await inFolder(box, other, recalled, { CLAUDE_PROJECT_DIR: app }), 'of the app');
});
