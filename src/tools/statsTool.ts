import { z } from 'zod';
import { defineTool, LOOKS } from './tool.js';

const count = z.int();

export const stats = defineTool({
  name: 'stats',
  title: 'Show statistics',
  description: 'Counts, hit rate, model in use, store size and anything that is wrong.',
  annotations: LOOKS,
  input: z.strictObject({}),
  output: z.object({
    total_entries: count,
    last_hit_at: z.number().nullable(),
    hit_rate_last_100: z.number(),
    project: z.string(),
    by_kind: z.object({ memory: count, episode: count }),
    expired: count,
    superseded: count,
    trash: count,
    without_vector: count,
    all_projects_entries: count,
    model: z.object({
      name: z.string(),
      state: z.string(),
      runtime: z.string(),
      dimension: count,
      reason: z.string().optional(),
    }),
    store_bytes: count,
    log_bytes: count,
    schema_version: count,
    capture_enabled: z.boolean(),
    health: z.array(z.object({ code: z.string(), message: z.string() })),
  }),
  handle: async (engine, _args, { project, captureEnabled, notes }) => {
    const { total_entries, last_hit_at, hit_rate_last_100, health, ...rest } = await engine.stats(
      project.key,
    );
    const head = { total_entries, last_hit_at, hit_rate_last_100, project: project.name };
    return { ...head, capture_enabled: captureEnabled, ...rest, health: [...notes, ...health] };
  },
});
