import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { namedProject, projectName } from '../../src/core/projectName.js';

const NAMES: readonly (readonly [string, string])[] = [
  ['', 'global'],
  ['namespace:x', 'x'],
  ['namespace:a/b', 'a/b'],
  ['path:/a/b', 'b'],
  ['path:/a/b.git', 'b'],
  ['path:/a/.git', '.git'],
  ['path:/a/b/.bare', 'b'],
  ['path:/.bare', '.bare'],
  ['path:/a/back\\slash', 'back\\slash'],
  ['path:/a/two\nlines', 'two\nlines'],
  ['path:c:\\users\\me\\shop', 'shop'],
  ['path:\\\\server\\share\\shop.git', 'shop'],
  ['path:c:\\work\\shop\\.bare', 'shop'],
  ['path:', 'path:'],
  ['something else', 'something else'],
];

describe('the name of a project of which only the key is known', () => {
  for (const [key, name] of NAMES) {
    it(`is ${JSON.stringify(name)} for ${JSON.stringify(key)}`, () => assert.equal(projectName(key), name));
  }

  it("is the asker's own name for the asker's project", () => {
    const own = { key: 'namespace:u-1234', name: '店' };
    assert.deepEqual(namedProject('namespace:u-1234', own), own);
    assert.deepEqual(namedProject('path:/a/b', own), { key: 'path:/a/b', name: 'b' });
  });
});
