import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { Sandbox } from '../server/sandbox.js';
import { AgentSession } from './agentSession.js';
import { assertNoBriefHolds, briefsHold, briefsHoldTimes } from './briefFolder.js';
import { oneOf, seeded } from './random.js';
import { repository } from '../server/repository.js';
import { allEpisodes, episodesAre, REVIEWING } from './reviewer.js';

const TEXTS = 20;

/** What a new session in this folder is told. */
const told = (box: Sandbox, cwd: string) => new AgentSession(box, { cwd }).start();

describe('the memory of a project', { concurrency: true }, () => {
  test('is never told to another one, not even of the same name and with the same session', (t) =>
    seeded(async (random) => {
      const box = new Sandbox(t, 'shared');
      const id = randomUUID();
      const projects = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const cwd = box.folder(name, 'app');
          const server = await box.start({ env: REVIEWING, cwd });
          return { cwd, server, session: new AgentSession(box, { cwd, id }), own: new Set<string>() };
        }),
      );
      const remembered: string[] = [];
      for (let at = 0; at < TEXTS; at += 1) {
        const { server, session, own } = oneOf(projects, random);
        const text = `word${Math.floor(random() * 2 ** 52).toString(36)}`;
        own.add(text);
        if (random() < 0.6) {
          await server.call('remember', { task: text, answer: `about ${text}` });
          remembered.push(text);
        } else {
          await session.captures(`question ${text}`, `answer ${text}`);
        }
      }
      await briefsHold(box, ...remembered);
      for (const { cwd, server, own } of projects) {
        const others = projects.flatMap((other) => (other.own === own ? [] : [...other.own]));
        const seen = [await told(box, cwd), JSON.stringify(await allEpisodes(server))];
        assert.ok([...own].some((text) => seen[0]?.includes(text)) || own.size === 0);
        for (const text of others) {
          for (const place of seen) assert.equal(place.includes(text), false, `${text} of another project`);
        }
      }
    }));

  test('is told in all worktrees and folders of its repository', async (t) => {
    const box = new Sandbox(t, 'shared');
    const { main, worktree } = repository(box);
    const server = await box.start({ env: REVIEWING, cwd: main });
    await new AgentSession(box, { cwd: worktree }).captures('asked in the worktree', 'x');
    await new AgentSession(box, { cwd: main }).captures('asked in the main one', 'x');
    const found = await episodesAre(server, 2);
    assert.deepEqual(
      found.map(({ directory, project }) => [directory, project]).sort(),
      [
        [worktree, 'shop'],
        [main, 'shop'],
      ].sort(),
    );
    await briefsHold(box, 'asked in the worktree', 'asked in the main one');
    const everywhere = await Promise.all(
      [main, worktree, box.folder('work', 'shop', 'src')].map((cwd) => told(box, cwd)),
    );
    for (const text of everywhere) {
      assert.match(text, /asked in the worktree/);
      assert.match(text, /asked in the main one/);
    }
    assert.equal(await told(box, box.folder('elsewhere')), '');
  });

  test('is its own where its folder is named in Japanese alone', async (t) => {
    const box = new Sandbox(t, 'shared');
    const [cart, stock] = [box.folder('仕事', '買い物かご'), box.folder('仕事', '在庫')];
    const server = await box.start({ env: REVIEWING, cwd: cart });
    await server.call('remember', {
      task: '税率はどこにありますか',
      answer: '税率は src/tax.ts にあります。',
    });
    await new AgentSession(box, { cwd: cart }).captures('かごを空にするには?', 'DELETE /cart です。');
    const [{ project, task_text } = {}] = await episodesAre(server, 1);
    assert.deepEqual([project, task_text], ['買い物かご', 'かごを空にするには?']);
    await briefsHold(box, 'DELETE /cart です。', 'src/tax.ts');
    const text = await told(box, cart);
    assert.match(text, /かごを空にするには?/);
    assert.match(text, /税率は src\/tax\.ts にあります。/);
    assert.equal(await told(box, stock), '');
  });

  test('is apart from what was asked in the home folder, which is no project', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    const atHome = await box.start({ env: REVIEWING, cwd: box.home });
    await new AgentSession(box).captures('asked in the project', 'x');
    await new AgentSession(box, { cwd: box.home }).captures('asked at home', 'x');
    const tasks = async (asked: typeof server) => (await episodesAre(asked, 1)).map((one) => one.task_text);
    assert.deepEqual(await tasks(server), ['asked in the project']);
    assert.deepEqual(await tasks(atHome), ['asked at home']);
    await briefsHold(box, 'asked in the project', 'asked at home');
    const [inProject, home] = [await told(box, box.project), await told(box, box.home)];
    assert.match(inProject, /asked in the project/);
    assert.doesNotMatch(inProject, /asked at home/);
    assert.match(home, /asked at home/);
    assert.doesNotMatch(home, /asked in the project/);
    assert.equal(await told(box, box.folder('another')), '');
  });

  test('includes what is global, in every project and at home, until it is forgotten', async (t) => {
    const box = new Sandbox(t, 'shared');
    const server = await box.start({ env: REVIEWING });
    const everywhere = [box.project, box.folder('other'), box.home];
    for (const [at, cwd] of everywhere.entries())
      await new AgentSession(box, { cwd }).captures(`asked ${at}`, 'x');
    await briefsHold(box, ...everywhere.map((_, at) => `asked ${at}`));
    const memory = { task: 'How do I like my commits?', answer: 'Small ones.', scope: 'global' };
    const { entry_id } = await server.call('remember', memory);
    await briefsHoldTimes(box, everywhere.length, memory.answer);
    const nobodyKnows = box.folder('a new project');
    for (const cwd of [...everywhere, nobodyKnows]) assert.match(await told(box, cwd), /Small ones\./, cwd);
    await server.call('forget', { entry_id });
    assertNoBriefHolds(box, memory.answer);
    await briefsHold(box, ...everywhere.map((_, at) => `asked ${at}`));
    for (const cwd of everywhere) assert.match(await told(box, cwd), /^(?!.*Small ones).*asked \d/s, cwd);
    assert.equal(await told(box, nobodyKnows), '');
  });
});
