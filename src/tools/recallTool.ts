import { z } from 'zod';
import { countField, degradedOut, tagsField, tagsOut, taskField } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

export const recall = defineTool({
  name: 'recall',
  title: 'Recall an answer',
  description:
    'Ask before working: was this task done before? A hit returns the stored answer. A miss says why; nearest names an entry that was close.',
  annotations: LOOKS,
  input: z.strictObject({
    task: taskField('The task in one sentence.'),
    threshold: z
      .number()
      .min(0, 'must be between 0 and 1')
      .max(1, 'must be between 0 and 1')
      .nullish()
      .describe('Similarity that counts as a hit; default from the configuration (0.85).'),
    top_k: countField(1, 100, 1, 'Neighbours considered.'),
    tags: tagsField('Only entries with one of these.'),
  }),
  output: z.object({
    hit: z.boolean(),
    similarity: z.number(),
    answer: z.string().nullable(),
    task_text: z.string().nullable(),
    entry_id: z.string().nullable(),
    stored_at: z.number().nullable(),
    tags: tagsOut,
    reason: z.string().optional(),
    nearest: z
      .object({ entry_id: z.string(), similarity: z.number().nullable(), task_text: z.string() })
      .optional(),
    degraded: degradedOut,
  }),
  handle: (engine, { task, threshold, top_k, tags }, { project, settings, hurry }) =>
    engine.recall({
      task,
      threshold: threshold ?? undefined,
      topK: top_k,
      tags: tags ?? undefined,
      project: project.key,
      settings,
      hurry,
    }),
});
