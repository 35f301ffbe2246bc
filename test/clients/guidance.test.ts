import assert from 'node:assert/strict';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  addGuidance,
  GUIDANCE_KINDS,
  guidanceFile,
  hasGuidance,
  previewGuidance,
  removeGuidance,
  type GuidancePlace,
} from '../../src/clients/guidance.js';
import { addBlock, hasBlock, removeBlock } from '../../src/clients/guidanceEdits.js';
import { BEGIN, END, guidanceBlock } from '../../src/clients/guidanceText.js';
import { ConnectPlace } from './connectPlace.js';

const USER: GuidancePlace = { kind: 'claude-md', scope: 'user' };
const SKILL: GuidancePlace = { kind: 'skill', scope: 'user' };

describe('guidance for agents', () => {
  for (const kind of GUIDANCE_KINDS) {
    for (const scope of ['user', 'project'] as const) {
      it(`makes the ${kind} of the ${scope}, and takes it and its folders away again`, async (t) => {
        const place = new ConnectPlace(t);
        const [at, world] = [{ kind, scope }, place.world()];
        const file = guidanceFile(at, world);
        assert.deepEqual(await addGuidance(at, world), { file, changed: true });
        assert.ok(await hasGuidance(at, world));
        assert.deepEqual(await addGuidance(at, world), { file, changed: false });
        assert.deepEqual(await removeGuidance(at, world), { file, changed: true });
        assert.equal(existsSync(scope === 'user' ? dirname(file) : place.folder), false);
        assert.equal(await hasGuidance(at, world), false);
        assert.deepEqual(await removeGuidance(at, world), { file, changed: false });
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

it('over any text, guidance that was added and removed leaves the same text', () => {
  const text = fc.array(fc.constantFrom('', ' ', 'a', '# b', `see ${BEGIN}`, '日本'), { maxLength: 6 });
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
