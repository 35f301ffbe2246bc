import { z } from 'zod';
import { answerField, degradedOut, idField, optionalIdField, tagsField, taskField } from './fields.js';
import { defineTool } from './tool.js';

export const rememberOut = z.object({
  stored: z.boolean(),
  entry_id: z.string().optional(),
  embedding_dim: z.int().nullish(),
  refreshed: z.boolean().optional(),
  superseded: z.string().optional(),
  warning: z.string().optional(),
  nearest_task: z.string().optional(),
  nearest_similarity: z.number().optional(),
  nearest_entry_id: z.string().optional(),
  degraded: degradedOut,
  note: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});

export const remember = defineTool({
  name: 'remember',
  title: 'Remember an answer',
  description:
    'Store a reusable result under the task it solves. On warning near_duplicate inspect nearest_entry_id; to correct an entry pass its id as supersedes.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  input: z.strictObject({
    task: taskField('The task in one sentence, as it would be asked again.'),
    answer: answerField('What to reuse. No secrets.'),
    tags: tagsField('Labels to filter by.'),
    ttl_seconds: z.number().nullish().describe('Lifetime; default from the configuration (for good).'),
    skip_if_duplicate: z.boolean().default(false).describe('Store nothing on near_duplicate.'),
    supersedes: optionalIdField('Entry this one replaces; kept as history.'),
    scope: z.enum(['project', 'global']).default('project').describe('global: seen from every project.'),
    idempotency_key: optionalIdField('A repeated call with the same key gets the first result.'),
  }),
  output: rememberOut,
  handle: (engine, args, { project, settings, hurry }, call) =>
    engine.remember({
      task: args.task,
      answer: args.answer,
      project: project.key,
      settings,
      scope: args.scope,
      tags: args.tags ?? [],
      ttlSeconds: args.ttl_seconds ?? null,
      skipIfDuplicate: args.skip_if_duplicate,
      supersedes: args.supersedes ?? undefined,
      idempotencyKey: args.idempotency_key ?? undefined,
      source: 'remember',
      call,
      hurry,
    }),
});

export const forget = defineTool({
  name: 'forget',
  title: 'Forget an entry',
  description: 'Remove an entry. An unknown id is no error.',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({ entry_id: idField('Id from recall, echo or search.') }),
  output: z.object({ forgotten: z.boolean() }),
  handle: async (engine, { entry_id }, { project }, call) => ({
    forgotten: await engine.forget(entry_id, project.key, call),
  }),
});
