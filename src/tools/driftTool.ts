import { z } from 'zod';
import { countField } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

export const driftReport = defineTool({
  name: 'drift_report',
  title: 'Report drifting entries',
  description:
    'Entries that hit for questions of very different closeness: one answer may be serving several tasks. Split or rewrite them.',
  annotations: LOOKS,
  input: z.strictObject({
    min_hits: countField(1, 1_000_000, 3, 'Fewest hits.'),
    min_spread: z.number().default(0.08).describe('Smallest difference between best and worst similarity.'),
  }),
  output: z.object({
    analyzed_recalls: z.int(),
    entries_with_hits: z.int(),
    candidates: z.array(
      z.object({
        entry_id: z.string(),
        task_text: z.string().nullable(),
        still_stored: z.boolean(),
        hits: z.int(),
        distinct_queries: z.int(),
        similarity_min: z.number(),
        similarity_max: z.number(),
        similarity_spread: z.number(),
      }),
    ),
  }),
  handle: (engine, { min_hits, min_spread }, { project }) =>
    engine.driftReport({ project: project.key, minHits: min_hits, minSpread: min_spread }),
});
