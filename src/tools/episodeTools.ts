import { z } from 'zod';
import {
  answerField,
  anyProjectField,
  CHANGES,
  countField,
  idField,
  idsField,
  tagsField,
  taskField,
} from './fields.js';
import { rememberOut } from './rememberTool.js';
import { defineTool, LOOKS } from './tool.js';

const status = z.enum(['ingested', 'kept', 'discarded']);
const ID = 'Id from episodes.';

const described = {
  entry_id: z.string(),
  project: z.string(),
  directory: z.string(),
  session_id: z.string(),
  status,
  stored_at: z.number(),
  task_text: z.string(),
};

export const episodes = defineTool({
  name: 'episodes',
  title: 'List episodes',
  description: 'What hooks captured of sessions, newest first: ingested waits for keep or discard.',
  annotations: LOOKS,
  input: z.strictObject({
    status: status.nullish().describe('Only these.'),
    scope: z.enum(['project', 'all']).default('project').describe('all: every project.'),
    limit: countField(1, 200, 50, 'How many.'),
    cursor: z.string().nullish().describe('next of the page before.'),
  }),
  output: z.object({
    counts: z.object({ pending: z.int(), ingested: z.int(), kept: z.int(), discarded: z.int() }),
    episodes: z.array(z.object({ ...described, turns: z.int(), outcome: z.string() })),
    next: z.string().optional(),
  }),
  handle: (engine, args, { project }) =>
    engine.episodes({
      project: args.scope === 'all' ? null : project.key,
      status: args.status ?? undefined,
      limit: args.limit,
      cursor: args.cursor ?? undefined,
    }),
});

export const getEpisode = defineTool({
  name: 'get_episode',
  title: 'Read an episode',
  description: 'All turns of one episode, in whatever state.',
  annotations: LOOKS,
  input: z.strictObject({ entry_id: idField(ID), any_project: anyProjectField }),
  output: z.object({
    ...described,
    turns: z.array(z.object({ task: z.string(), outcome: z.string(), at: z.number() })),
    kept_as: z.string().nullable(),
  }),
  handle: (engine, { entry_id, any_project }, { project }) =>
    engine.episode(entry_id, any_project ? null : project.key),
});

export const keep = defineTool({
  name: 'keep',
  title: 'Make a memory of an episode',
  description: 'Stores task and answer as a memory; the episode becomes its history.',
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    entry_id: idField(ID),
    task: taskField('').nullish().describe('Default: what the session began with.'),
    answer: answerField('').nullish().describe('Default: what came of it.'),
    tags: tagsField('Labels to filter by.'),
    ttl_seconds: z.number().nullish().describe('Lifetime; default from the configuration (for good).'),
    scope: z.enum(['project', 'global']).default('project').describe('global: seen from every project.'),
    any_project: anyProjectField,
  }),
  output: rememberOut,
  handle: (engine, args, { project, settings, hurry }, call) =>
    engine.keep({
      id: args.entry_id,
      project: args.any_project ? null : project.key,
      task: args.task ?? undefined,
      answer: args.answer ?? undefined,
      tags: args.tags ?? [],
      ttlSeconds: args.ttl_seconds ?? null,
      scope: args.scope,
      settings,
      hurry,
      call,
    }),
});

export const discard = defineTool({
  name: 'discard',
  title: 'Discard episodes',
  description:
    'Puts episodes in the trash, where they stay for 30 days. Kept ones, unknown ones and those of other projects are left alone.',
  annotations: { ...CHANGES, destructiveHint: true, idempotentHint: true },
  input: z.strictObject({ entry_ids: idsField('Ids from episodes.'), any_project: anyProjectField }),
  output: z.object({ discarded: z.array(z.string()) }),
  handle: async (engine, { entry_ids, any_project }, { project }) => ({
    discarded: await engine.discard(entry_ids, any_project ? null : project.key),
  }),
});

export const restore = defineTool({
  name: 'restore',
  title: 'Restore entries',
  description:
    'Takes entries out of the trash. A kept episode whose memory was forgotten waits to be looked at again.',
  annotations: { ...CHANGES, destructiveHint: false, idempotentHint: true },
  input: z.strictObject({
    entry_ids: idsField('Ids of forgotten entries or discarded episodes.'),
    any_project: anyProjectField,
  }),
  output: z.object({ restored: z.array(z.string()) }),
  handle: async (engine, { entry_ids, any_project }, { project }) => ({
    restored: await engine.restore(entry_ids, any_project ? null : project.key),
  }),
});
