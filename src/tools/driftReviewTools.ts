import { z } from 'zod';
import { CHANGES, countField, idsField } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

const similarities = { similarity_min: z.number(), similarity_max: z.number() };

export const drift = defineTool({
  name: 'drift',
  title: 'Review drifting entries',
  description: 'Stored entries that hit for questions of very different closeness, with those questions.',
  annotations: LOOKS,
  input: z.strictObject({
    min_hits: countField(1, 1_000_000, 3, 'Fewest hits.'),
    min_spread: z.number().default(0.08).describe('Smallest difference between best and worst similarity.'),
    reviewed: z.boolean().default(false).describe('Also those marked as reviewed.'),
  }),
  output: z.object({
    analyzed_recalls: z.int(),
    candidates: z.array(
      z.object({
        entry_id: z.string(),
        task_text: z.string(),
        hits: z.int(),
        distinct_queries: z.int(),
        ...similarities,
        similarity_spread: z.number(),
        reviewed: z.boolean(),
        questions: z.array(
          z.object({ text: z.string(), ...similarities, count: z.int(), last_at: z.number() }),
        ),
      }),
    ),
    more: z.int().optional(),
  }),
  handle: (engine, { min_hits, min_spread, reviewed }, { project }) =>
    engine.reviewDrift({ project: project.key, minHits: min_hits, minSpread: min_spread, reviewed }),
});

export const markReviewed = defineTool({
  name: 'mark_reviewed',
  title: 'Mark drift as reviewed',
  description: 'Takes entries out of drift until a recall hits them with a question that is new.',
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({ entry_ids: idsField('Ids from drift.') }),
  output: z.object({ marked: z.array(z.string()) }),
  handle: async (engine, { entry_ids }, { project }) => ({
    marked: await engine.markReviewed(entry_ids, project.key),
  }),
});
