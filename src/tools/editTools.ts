import { z } from 'zod';
import { answerField, anyProjectField, CHANGES, idField, idsField, tagsField, taskField } from './fields.js';
import { defineTool } from './tool.js';

export const update = defineTool({
  name: 'update',
  title: 'Edit a memory',
  description:
    'Changes a memory in place. Where task or answer change, the version before is kept as its history, unless keep_version is false. What is left out stays as it is.',
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    entry_id: idField('Id from list or search.'),
    task: taskField('').nullish().describe('The task in one sentence.'),
    answer: answerField('').nullish().describe('What to reuse. No secrets.'),
    tags: tagsField('In place of all it had.'),
    expires_at: z.number().nullable().optional().describe('Epoch seconds; null: never.'),
    scope: z
      .enum(['project', 'global'])
      .nullish()
      .describe('global: seen from every project; project: of a global one makes one of this project.'),
    revision: z
      .string()
      .nullish()
      .describe('From get_entry: nothing is changed where it is another one by now.'),
    keep_version: z
      .boolean()
      .default(true)
      .describe('false: for who saves while somebody types, and kept a version moments ago.'),
    any_project: anyProjectField,
  }),
  output: z.object({
    entry_id: z.string(),
    changed: z.boolean(),
    conflict: z.literal(true).optional(),
    revision: z.string(),
    previous: z.string().optional(),
    warnings: z.array(z.string()).optional(),
  }),
  handle: (engine, args, { project, hurry }, call) =>
    engine.update({
      id: args.entry_id,
      project: project.key,
      anyProject: args.any_project,
      task: args.task ?? undefined,
      answer: args.answer ?? undefined,
      tags: args.tags ?? undefined,
      expiresAt: args.expires_at,
      scope: args.scope ?? undefined,
      revision: args.revision ?? undefined,
      keepVersion: args.keep_version,
      hurry,
      call,
    }),
});

export const forgetEntries = defineTool({
  name: 'forget_entries',
  title: 'Forget entries',
  description:
    'Puts entries in the trash, where they stay for 30 days, with the episodes they were made of and the versions before edits. Unknown ones and those of other projects are left alone. The result is in the order in which restore brings all back.',
  annotations: { ...CHANGES, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ entry_ids: idsField('Ids from list or search.'), any_project: anyProjectField }),
  output: z.object({ forgotten: z.array(z.string()) }),
  handle: async (engine, { entry_ids, any_project }, { project }, call) => ({
    forgotten: await engine.forgetEntries({
      ids: entry_ids,
      project: any_project ? null : project.key,
      call,
    }),
  }),
});
