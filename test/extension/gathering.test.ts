import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { afterQuiet, together } from '../../src/extension/gathering.js';

describe('letters that are typed', () => {
  it('are acted on once, when no other has come for a while', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let acts = 0;
    const typed = afterQuiet(500, () => (acts += 1));
    for (let letter = 0; letter < 20; letter += 1) {
      typed();
      t.mock.timers.tick(499);
    }
    assert.equal(acts, 0);
    t.mock.timers.tick(1);
    assert.equal(acts, 1);
    t.mock.timers.tick(5_000);
    assert.equal(acts, 1);
    typed();
    t.mock.timers.tick(500);
    assert.equal(acts, 2);
  });

  it('are not acted on any more once that is over', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let acts = 0;
    const typed = afterQuiet(500, () => (acts += 1));
    typed();
    typed.dispose();
    t.mock.timers.tick(5_000);
    assert.equal(acts, 0);
  });
});

describe('changes that come together', () => {
  it('are told once, and are told though they never stop', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let told = 0;
    const changed = together(100, () => (told += 1));
    for (let change = 0; change < 100; change += 1) {
      changed();
      t.mock.timers.tick(10);
    }
    assert.equal(told, 10);
    t.mock.timers.tick(5_000);
    assert.equal(told, 10);
  });

  it('are not told any more once that is over', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    let told = 0;
    const changed = together(100, () => (told += 1));
    changed();
    changed.dispose();
    t.mock.timers.tick(5_000);
    assert.equal(told, 0);
  });
});
