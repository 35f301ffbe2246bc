import assert from 'node:assert/strict';
import { test } from 'node:test';

interface Asked {
  question: { question: string; expect: 'hit' | 'miss'; kind: string; task?: string };
  answer: { hit: boolean; task_text: string | null } | null;
}

// Plain JavaScript without declarations: its own comments promise this shape.
const { verdictOf, passed, percentile, hurried } = (await import(
  new URL('../../examples/verdict.mjs', import.meta.url).href
)) as {
  verdictOf: (asked: Asked) => string;
  passed: (all: readonly Asked[]) => boolean;
  percentile: (values: readonly number[], share: number) => number;
  hurried: (task: string) => string;
};

const hit = (task: string) => ({ hit: true, task_text: task });
const miss = { hit: false, task_text: null };

function asked(answer: Asked['answer'], question: Partial<Asked['question']> = {}): Asked {
  return { question: { question: 'q', expect: 'hit', kind: 'paraphrase', task: 'own', ...question }, answer };
}

const stranger = { expect: 'miss', kind: 'stranger' } as const;

test('a hit is right only where it was expected and found its own task', () => {
  assert.equal(verdictOf(asked(hit('own'))), 'right hit');
  assert.equal(verdictOf(asked(hit('other'))), 'wrong hit');
  assert.equal(verdictOf(asked(hit('own'), stranger)), 'wrong hit');
  assert.equal(verdictOf(asked(hit(' own\n'), { task: 'own' })), 'right hit');
});

test('a miss is honest only where nothing was to be found', () => {
  assert.equal(verdictOf(asked(miss)), 'missed');
  assert.equal(verdictOf(asked(miss, stranger)), 'honest miss');
  assert.equal(verdictOf(asked(null)), 'error');
});

test('paraphrases, strangers and errors decide the exit code; hard negatives do not', () => {
  const hard = { expect: 'miss', kind: 'hard negative' } as const;
  const good = [asked(hit('own')), asked(miss, stranger)];
  assert.equal(passed(good), true);
  assert.equal(passed([...good, asked(hit('own'), hard)]), true);
  assert.equal(passed([...good, asked(null, hard)]), false);
  assert.equal(passed([...good, asked(miss)]), false);
  assert.equal(passed([...good, asked(hit('other'))]), false);
  assert.equal(passed([...good, asked(hit('x'), stranger)]), false);
});

test('percentiles are values that were measured', () => {
  const values = [5, 1, 4, 2, 3];
  assert.equal(percentile(values, 0.5), 3);
  assert.equal(percentile(values, 0.95), 5);
  assert.equal(percentile([7], 0.5), 7);
  assert.equal(percentile([], 0.5), 0);
});

test('a hurried question has no capitals and no punctuation, and is never blank', () => {
  assert.equal(hurried('Reboot the Router, then wait!'), 'reboot the router then wait');
  assert.equal(hurried('再起動する。待つ'), '再起動する 待つ');
  assert.equal(hurried('?!'), '?!');
});
