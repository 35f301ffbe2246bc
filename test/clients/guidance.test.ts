import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addGuidance,
  checkGuidance,
  GUIDANCE_KINDS,
  guidanceFile,
  hasGuidance,
  previewGuidance,
  removeGuidance,
  type GuidancePlace,
} from '../../src/clients/guidance.js';
import { addBlock, hasBlock, removeBlock } from '../../src/clients/guidanceEdits.js';
import { BEGIN, END, guidanceBlock, skillText } from '../../src/clients/guidanceText.js';
import { ConnectPlace } from './connectPlace.js';
import { NOW } from './place.js';

const USER: GuidancePlace = { kind: 'claude-md', scope: 'user' };
const SKILL: GuidancePlace = { kind: 'skill', scope: 'user' };

describe('guidance for agents', () => {
  for (const kind of GUIDANCE_KINDS) {
    for (const scope of ['user', 'project'] as const) {
      it(`makes the ${kind} of the ${scope}, and takes it and its folders away again`, async (t) => {
        const place = new ConnectPlace(t);
        const [at, world] = [{ kind, scope }, place.world()];
        const file = guidanceFile(at, world);
        assert.deepEqual(await addGuidance(at, world), { file, changed: true, backup: null });
        assert.ok(await hasGuidance(at, world));
        assert.deepEqual(await addGuidance(at, world), { file, changed: false, backup: null });
        assert.deepEqual(await removeGuidance(at, world), { file, changed: true, backup: null });
        assert.equal(existsSync(scope === 'user' ? dirname(file) : place.folder), false);
        assert.equal(await hasGuidance(at, world), false);
        assert.deepEqual(await removeGuidance(at, world), { file, changed: false, backup: null });
      });
    }
  }

  it('is what an agent needs to know, with the limits that count', async (t) => {
    const place = new ConnectPlace(t);
    const { file } = await addGuidance(SKILL, place.world());
    const text = place.text(file);
    assert.match(
      text,
      /^---\nname: subconscious\ndescription: [^\n:]+\n---\n\n<!-- subconscious:begin -->\n/,
    );
    for (const word of [
      '`recall`',
      '0.88',
      '`echo`',
      '0.7',
      '`remember`',
      'near_duplicate',
      '`drift_report`',
      'secrets',
    ]) {
      assert.ok(text.includes(word), word);
    }
  });

  it('stands behind what others wrote, which stays with its mode', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.write('# Mine\r\n\r\nText 日本語\r\n', guidanceFile(USER, place.world()));
    chmodSync(file, 0o600);
    await addGuidance(USER, place.world());
    assert.equal(place.text(file), `# Mine\r\n\r\nText 日本語\r\n\r\n${guidanceBlock('\r\n')}\r\n`);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(place.beside(file), ['CLAUDE.md']);
  });

  it('of an older version is replaced in its place', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.write(
      `before\n${BEGIN}\nold $& words\n${END}\nafter`,
      guidanceFile(USER, place.world()),
    );
    await addGuidance(USER, place.world());
    assert.equal(place.text(file), `before\n${guidanceBlock('\n')}\nafter`);
    await removeGuidance(USER, place.world());
    assert.equal(place.text(file), 'before\nafter');
  });

  it('leaves a skill that others have written on, and does not touch another one of the name', async (t) => {
    const place = new ConnectPlace(t);
    const { file } = await addGuidance(SKILL, place.world());
    place.write(`${place.text(file)}Mine.\n`, file);
    await removeGuidance(SKILL, place.world());
    assert.match(place.text(file), /^---\nname: subconscious\n.*\n---\n\nMine\.\n$/);
    await assert.rejects(
      addGuidance(SKILL, place.world()),
      /is another skill of the same name\. Nothing was changed/,
    );
  });

  it('is refused where a second beginning stands before the end, whatever is between', async (t) => {
    const place = new ConnectPlace(t);
    const text = `# Mine\n${BEGIN}\nwhat matters\n\n${BEGIN}\nold\n${END}\nmore\n`;
    const file = place.write(text, join(place.home, '.claude', 'CLAUDE.md'));
    await assert.rejects(addGuidance(USER, place.world()), /Nothing was changed/);
    await assert.rejects(removeGuidance(USER, place.world()), /Nothing was changed/);
    assert.equal(place.text(file), text);
  });

  it('is refused where a mark stands alone, and where the file is read-only', async (t) => {
    const place = new ConnectPlace(t);
    const file = place.write(`text\n${BEGIN}\nmore\n`, guidanceFile(USER, place.world()));
    for (const act of [addGuidance, removeGuidance]) {
      await assert.rejects(
        act(USER, place.world()),
        /without the other, or more than once\. Nothing was changed/,
      );
    }
    assert.equal(place.text(file), `text\n${BEGIN}\nmore\n`);
    place.write('text', file);
    chmodSync(file, 0o444);
    await assert.rejects(addGuidance(USER, place.world()), /is read-only/);
  });

  it('of which a person changed something is kept beside the file before it is replaced or removed', async (t) => {
    for (const [at, edited] of [
      [USER, `# Mine\n${BEGIN}\nmy own advice\n${END}\n`],
      [USER, guidanceBlock('\r\n').replace('`recall`', 'recall')],
      [SKILL, skillText().replace(END, `- And this.\n${END}`)],
    ] as const) {
      for (const act of [addGuidance, removeGuidance]) {
        const place = new ConnectPlace(t);
        const file = place.write(edited, guidanceFile(at, place.world()));
        const { changed, backup } = await act(at, place.world());
        assert.deepEqual([changed, backup], [true, `${file}.bak.${Math.floor(NOW)}`]);
        assert.equal(place.text(backup ?? ''), edited);
      }
    }
  });

  it('as it was written is not kept, whatever the line breaks and wherever it stands', async (t) => {
    for (const text of [`a\r\n${guidanceBlock('\r\n')}\r\nb`, `${guidanceBlock('\n')} \n\nmore`]) {
      const place = new ConnectPlace(t);
      const file = place.write(text, guidanceFile(USER, place.world()));
      assert.equal((await removeGuidance(USER, place.world())).backup, null);
      assert.deepEqual(place.beside(file), ['CLAUDE.md']);
    }
  });

  it('is told beforehand to be refused, be it read-only or another skill', async (t) => {
    const place = new ConnectPlace(t);
    await checkGuidance(USER, place.world());
    assert.equal(existsSync(place.home), false);
    const file = place.write('text', guidanceFile(USER, place.world()));
    await checkGuidance(USER, place.world());
    chmodSync(file, 0o444);
    await assert.rejects(checkGuidance(USER, place.world()), /is read-only\. Nothing was changed/);
    place.write('---\nname: subconscious\n---\n', guidanceFile(SKILL, place.world()));
    await assert.rejects(checkGuidance(SKILL, place.world()), /is another skill/);
    place.write(guidanceBlock('\n'), guidanceFile({ ...USER, scope: 'project' }, place.world()));
    chmodSync(guidanceFile({ ...USER, scope: 'project' }, place.world()), 0o444);
    await checkGuidance({ ...USER, scope: 'project' }, place.world());
  });

  it('is shown beforehand, and nothing is written', async (t) => {
    const place = new ConnectPlace(t);
    const preview = await previewGuidance('add', USER, place.world());
    assert.deepEqual(preview, {
      file: join(place.home, '.claude', 'CLAUDE.md'),
      changed: true,
      before: null,
      after: `${guidanceBlock('\n')}\n`,
    });
    assert.equal(existsSync(place.home), false);
  });
});

describe('marks of the guidance in fenced code', () => {
  const ours = guidanceBlock('\n');
  const example = `${BEGIN}\nan example\n${END}`;
  const fenced = {
    backticks: `\`\`\`md\n${example}\n\`\`\``,
    tildes: `~~~\n${example}\n~~~~  `,
    'a longer fence around a shorter one': `\`\`\`\`\n\`\`\`\n${example}\n\`\`\`\n\`\`\`\`\``,
    'an indented fence': `   ~~~ \`x\`\n${example}\n ~~~`,
    'a mark alone': `\`\`\`\n${BEGIN}\n\`\`\``,
    'a fence that other signs do not end': `\`\`\`\n${example}\n~~~\n\`\`\` x\n${example}\n\`\`\``,
  };
  for (const [name, code] of Object.entries(fenced)) {
    for (const eol of ['\n', '\r\n']) {
      it(`are not ours: ${name}, ${JSON.stringify(eol)}`, () => {
        const text = `# Mine\n${code}\nafter\n`.replaceAll('\n', eol);
        const block = ours.replaceAll('\n', eol);
        assert.equal(hasBlock(text), false);
        assert.equal(removeBlock(text, 'f'), text);
        const added = addBlock(text, 'f');
        assert.equal(added, `${text}${eol}${block}${eol}`);
        assert.equal(addBlock(added, 'f'), added);
        assert.equal(removeBlock(added, 'f'), text);
      });
    }
  }

  it('are passed over before and behind the real ones', () => {
    const code = fenced.backticks;
    const text = `${code}\n${BEGIN}\nold\n${END}\n${code}\n`;
    assert.equal(addBlock(text, 'f'), `${code}\n${ours}\n${code}\n`);
    assert.equal(removeBlock(text, 'f'), `${code}\n${code}\n`);
  });

  it('are passed over within the real ones', () => {
    const text = `${BEGIN}\n${fenced.backticks}\nold\n${END}\nmine\n`;
    assert.equal(addBlock(text, 'f'), `${ours}\nmine\n`);
  });

  it('count where the fence never ends: a block behind it would be added anew each time', () => {
    const text = `\`\`\`\nnever ended\n${example}\n`;
    assert.equal(addBlock(text, 'f'), `\`\`\`\nnever ended\n${ours}\n`);
  });

  it('count where three backticks begin a span of code and no fence', () => {
    const text = `\`\`\`no fence\`\`\`\n${example}\n\`\`\`no fence\`\`\`\n`;
    assert.equal(addBlock(text, 'f'), text.replace(example, ours));
  });
});

it('over any text, guidance that was added and removed leaves the same text', () => {
  const text = fc.array(
    fc.constantFrom('', ' ', 'a', '# b', `see ${BEGIN}`, '日本', '```', '~~~~', '```js'),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(text, fc.constantFrom('\n', '\r\n'), (lines, eol) => {
      const before = lines.join(eol);
      const added = addBlock(before, 'f');
      assert.ok(added.startsWith(before) && hasBlock(added));
      assert.equal(addBlock(added, 'f'), added);
      assert.equal(removeBlock(added, 'f'), before);
    }),
  );
});
