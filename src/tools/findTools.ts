import { z } from 'zod';
import { countField, degradedOut, idField, kindOut, tagsField, tagsOut, taskField } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

export const echo = defineTool({
  name: 'echo',
  title: 'Look around a task',
  description:
    'What lies near a task, without answers: use it after a miss that came close, before lowering the threshold.',
  annotations: LOOKS,
  input: z.strictObject({
    task: taskField('The task in one sentence.'),
    top_k: countField(1, 100, 5, 'How many.'),
    tags: tagsField('Only entries with one of these.'),
  }),
  output: z.object({
    count: z.int(),
    echoes: z.array(
      z.object({
        entry_id: z.string(),
        similarity: z.number(),
        task_text: z.string(),
        stored_at: z.number(),
        tags: tagsOut,
        kind: kindOut,
      }),
    ),
    degraded: degradedOut,
  }),
  handle: (engine, { task, top_k, tags }, { project, hurry }) =>
    engine.echo({ task, topK: top_k, tags: tags ?? undefined, project: project.key, hurry }),
});

export const search = defineTool({
  name: 'search',
  title: 'Search memory',
  description:
    'Find entries by words and meaning in task and answer; returns snippets. more says how many were left out.',
  annotations: LOOKS,
  input: z.strictObject({
    query: taskField('Words or a question.'),
    limit: countField(1, 100, 10, 'How many.'),
    max_tokens: countField(1, 100_000, 2000, 'Size limit of the result.'),
    tags: tagsField('Only entries with one of these.'),
    kind: kindOut.nullish().describe('Only this kind.'),
    scope: z
      .enum(['project', 'global', 'all'])
      .default('project')
      .describe('project: this one and global; all: every project.'),
  }),
  output: z.object({
    results: z.array(
      z.object({
        entry_id: z.string(),
        score: z.number(),
        task_text: z.string(),
        snippet: z.string(),
        tags: tagsOut,
        kind: kindOut,
        stored_at: z.number(),
      }),
    ),
    more: z.int(),
    degraded: degradedOut,
  }),
  handle: (engine, { query, limit, max_tokens, tags, kind, scope }, { project, hurry }) =>
    engine.search({
      query,
      limit,
      maxTokens: max_tokens,
      tags: tags ?? undefined,
      kind: kind ?? undefined,
      scope,
      project: project.key,
      hurry,
    }),
});

export const get = defineTool({
  name: 'get',
  title: 'Read an entry',
  description: 'One whole entry with what it replaced.',
  annotations: LOOKS,
  input: z.strictObject({
    entry_id: idField('Id from recall, echo or search.'),
    scope: z.enum(['project', 'all']).default('project').describe('all: also of another project.'),
  }),
  output: z.object({
    entry_id: z.string(),
    kind: kindOut,
    task_text: z.string(),
    answer: z.string(),
    tags: tagsOut,
    scope: z.enum(['project', 'global', 'other_project']),
    source: z.string(),
    stored_at: z.number(),
    expires_at: z.number().nullable(),
    expired: z.boolean(),
    superseded_by: z.string().nullable(),
    history: z.array(
      z.object({ entry_id: z.string(), task_text: z.string(), answer: z.string(), stored_at: z.number() }),
    ),
  }),
  handle: (engine, { entry_id, scope }, { project }) =>
    engine.get({ id: entry_id, scope, project: project.key }),
});
