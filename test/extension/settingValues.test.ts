import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { describe, it } from 'node:test';
import { SETTINGS } from '../../src/extension/contributions.js';
import { settingValues } from '../../src/extension/settingValues.js';

type Name = (typeof SETTINGS)[number];
const DEFAULTS = { agentMode: true, recallThreshold: null, configurationFile: '' };

function values(written: Partial<Record<Name, unknown>>, system: typeof posix = posix) {
  return settingValues({
    read: (name) => written[name],
    wrong: (name, value) => new Error(`${name}: ${JSON.stringify(value)}`),
    isAbsolute: (path) => system.isAbsolute(path),
  });
}

/** What cannot be used, whichever setting it is written for. */
const NEVER: readonly unknown[] = [
  [],
  {},
  ['/a'],
  { a: 1 },
  'yes',
  -1,
  5,
  1.5,
  'config.json',
  './a.json',
  '~b/c',
];

const USED: readonly (readonly [Name, unknown, object])[] = [
  ['agentMode.enabled', false, { agentMode: false }],
  ['agentMode.enabled', true, { agentMode: true }],
  ['recallThreshold', 0, { recallThreshold: 0 }],
  ['recallThreshold', 0.875, { recallThreshold: 0.875 }],
  ['recallThreshold', 1, { recallThreshold: 1 }],
  ['configurationFile', ' /etc/memory.json ', { configurationFile: '/etc/memory.json' }],
  ['configurationFile', '~/memory.json', { configurationFile: '~/memory.json' }],
  ['configurationFile', '  ', { configurationFile: '' }],
];

describe('a setting', () => {
  for (const [name, written, change] of USED) {
    it(`${name} that is ${JSON.stringify(written)} is used`, () => {
      assert.deepEqual(values({ [name]: written }), { ...DEFAULTS, ...change });
    });
  }

  for (const name of SETTINGS) {
    it(`${name} that is missing or null has its default`, () => {
      assert.deepEqual(values({}), DEFAULTS);
      assert.deepEqual(values({ [name]: null }), DEFAULTS);
    });

    it(`${name} that cannot be used is refused by its name, with what it is`, () => {
      for (const written of NEVER) {
        const words = `${name}: ${JSON.stringify(written)}`;
        assert.throws(() => values({ [name]: written }), { message: words });
      }
    });
  }

  it('of another type is refused though the value is used elsewhere', () => {
    const swapped: readonly (readonly [Name, unknown])[] = [
      ['agentMode.enabled', 0],
      ['agentMode.enabled', ''],
      ['agentMode.enabled', '/etc/memory.json'],
      ['recallThreshold', '0.9'],
      ['recallThreshold', true],
      ['recallThreshold', ''],
      ['configurationFile', false],
      ['configurationFile', 0],
    ];
    for (const [name, written] of swapped) assert.throws(() => values({ [name]: written }), Error);
  });

  it('with a path is absolute in the words of its system', () => {
    const file = 'C:\\memory\\config.json';
    assert.equal(values({ configurationFile: file }, win32).configurationFile, file);
    assert.equal(values({ configurationFile: '~\\memory.json' }, win32).configurationFile, '~\\memory.json');
    assert.throws(() => values({ configurationFile: file }, posix));
    assert.throws(() => values({ configurationFile: 'C:memory.json' }, win32));
  });
});
