import { z } from 'zod';
import { CHANGES, countField, kindOut, projectOut } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

export const trash = defineTool({
  name: 'trash',
  title: 'List the trash',
  description: 'What was forgotten or discarded and can be restored, of all projects, last deleted first.',
  annotations: LOOKS,
  input: z.strictObject({
    limit: countField(1, 500, 100, 'How many.'),
    cursor: z.string().nullish().describe('next of the page before.'),
  }),
  output: z.object({
    total: z.int(),
    entries: z.array(
      z.object({
        entry_id: z.string(),
        kind: kindOut,
        task_text: z.string(),
        project: projectOut,
        deleted_at: z.number(),
      }),
    ),
    next: z.string().optional(),
  }),
  handle: (engine, { limit, cursor }, { project }) =>
    engine.trash({ limit, cursor: cursor ?? undefined, own: project }),
});

export const emptyTrash = defineTool({
  name: 'empty_trash',
  title: 'Empty the trash',
  description: 'Removes for good what lies in the trash, of all projects. Nothing brings it back.',
  annotations: { ...CHANGES, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ dry_run: z.boolean().default(false).describe('Only count.') }),
  output: z.object({ entries: z.int() }),
  handle: async (engine, { dry_run }) => ({ entries: await engine.emptyTrash({ dryRun: dry_run }) }),
});
