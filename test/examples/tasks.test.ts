import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { z } from 'zod';

const Task = z.strictObject({
  task: z.string().min(10).max(200),
  answer: z.string().min(40).max(600),
  tags: z.array(z.string().min(1)).min(1),
});

const Question = z.discriminatedUnion('expect', [
  z.strictObject({
    question: z.string().min(5),
    expect: z.literal('hit'),
    kind: z.enum(['paraphrase', 'hard negative']),
    task: z.string(),
  }),
  z.strictObject({
    question: z.string().min(5),
    expect: z.literal('miss'),
    kind: z.enum(['hard negative', 'stranger']),
  }),
]);

function lines<T>(file: string, shape: z.ZodType<T>): T[] {
  const text = readFileSync(new URL(`../../examples/${file}`, import.meta.url), 'utf8');
  assert.ok(text.endsWith('\n'), `${file} ends with a line break`);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line, index) => {
      const parsed = shape.safeParse(JSON.parse(line));
      assert.ok(parsed.success, `${file} line ${index + 1}: ${parsed.error?.message ?? ''}`);
      return parsed.data;
    });
}

const tasks = lines('tasks.jsonl', Task);
const questions = lines('questions.jsonl', Question);

function fold(text: string): string {
  return text.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
}

function ofKind(kind: string) {
  return questions.filter((question) => question.kind === kind);
}

test('there are at least 44 tasks and no task or answer twice', () => {
  assert.ok(tasks.length >= 44, `${tasks.length} tasks`);
  assert.equal(new Set(tasks.map(({ task }) => fold(task))).size, tasks.length);
  assert.equal(new Set(tasks.map(({ answer }) => fold(answer))).size, tasks.length);
});

const languages = [
  { tag: 'de', words: /\b(?:einer|einem|werden|nicht|und|nach|der|bei|nur|das)\b/ },
  { tag: 'fr', words: /\b(?:une|avec|dans|qui|la)\b/ },
  { tag: 'es', words: /\b(?:el|los|dentro|del|la)\b/ },
  { tag: 'ja', words: /\p{Script=Hiragana}/u },
  { tag: 'zh', words: /\p{Script=Han}/u },
  { tag: 'ko', words: /\p{Script=Hangul}/u },
];

for (const { tag, words } of languages) {
  test(`at least two tasks are written in ${tag}, question and answer`, () => {
    const own = tasks.filter(({ tags }) => tags.includes(tag));
    assert.ok(own.length >= 2, `${own.length}`);
    for (const { task, answer } of own) {
      assert.match(task, words);
      assert.match(answer, words);
    }
  });
}

test('most tasks are English and they come from many fields', () => {
  const foreign = new Set(languages.map(({ tag }) => tag));
  const english = tasks.filter(({ tags }) => !tags.some((tag) => foreign.has(tag)));
  assert.ok(english.length > tasks.length / 2, `${english.length} of ${tasks.length}`);
  const tags = new Set(tasks.flatMap((task) => task.tags));
  const fields = [
    'git',
    'npm',
    'docker',
    'postgres',
    'ci',
    'python',
    'rust',
    'css',
    'kubernetes',
    'bash',
    'testing',
  ];
  for (const field of [...fields, 'security', 'tooling']) assert.ok(tags.has(field), field);
});

test('questions of every kind are there, none twice', () => {
  assert.ok(ofKind('paraphrase').length >= 20);
  assert.ok(ofKind('hard negative').length >= 8);
  assert.ok(ofKind('stranger').length >= 6);
  assert.equal(new Set(questions.map(({ question }) => question)).size, questions.length);
});

test('every question that expects a hit names a task of the file', () => {
  const known = new Set(tasks.map(({ task }) => task));
  for (const question of questions) {
    if (question.expect === 'hit') assert.ok(known.has(question.task), question.question);
  }
});

test('no question that expects a miss is a stored task in other dress', () => {
  const known = new Set(tasks.map(({ task }) => fold(task)));
  for (const { expect, question } of questions) {
    if (expect === 'miss') assert.ok(!known.has(fold(question)), question);
  }
});

test('one task is asked in three wordings, so that the drift report has something to show', () => {
  const asked = questions.flatMap((question) => (question.expect === 'hit' ? [question.task] : []));
  assert.ok(asked.some((task) => asked.filter((other) => other === task).length >= 3));
});
