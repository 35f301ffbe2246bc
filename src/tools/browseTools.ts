import { z } from 'zod';
import { countField, idField, kindOut, projectOut, tagsOut } from './fields.js';
import { defineTool, LOOKS } from './tool.js';

const count = z.int();
const LONGEST_FILTER = 1000;

const filter = z
  .string('must be a string')
  .max(LONGEST_FILTER, `is longer than ${LONGEST_FILTER} characters`)
  .nullish()
  .describe('Words that all have to be in the task or in a tag.');
const hidden = z.boolean().default(false).describe('Also expired and superseded ones.');
const since = z
  .array(z.number(), 'must be a list of numbers')
  .max(1000, 'holds more than 1000 times')
  .refine(
    (times) => times.every((time, at) => at === 0 || time < (times[at - 1] ?? 0)),
    'must be newest first',
  )
  .default([])
  .describe('For time: where each group starts, in epoch seconds, newest first.');

export const outline = defineTool({
  name: 'outline',
  title: 'Count memories by project and group',
  description: 'How many memories each project has, by tag or by time.',
  annotations: LOOKS,
  input: z.strictObject({
    group_by: z.enum(['tag', 'time']).default('tag').describe('What makes a group.'),
    since,
    filter,
    hidden,
  }),
  output: z.object({
    project: projectOut,
    projects: z.array(
      z.object({
        key: z.string(),
        name: z.string(),
        current: z.boolean(),
        count,
        newest: z.number().nullable(),
        groups: z.array(z.object({ tag: z.string().nullish(), from: z.number().nullish(), count })),
        more_tags: count.optional(),
      }),
    ),
    total: count,
  }),
  handle: (engine, args, { project }) =>
    engine.outline({
      project,
      groupBy: args.group_by,
      since: args.since,
      filter: args.filter ?? undefined,
      hidden: args.hidden,
    }),
});

export const list = defineTool({
  name: 'list',
  title: 'List memories',
  description: 'Memories of any project, newest first, without answers.',
  annotations: LOOKS,
  input: z.strictObject({
    project: z.string().nullish().describe('Key of a project from outline: only its memories.'),
    tag: z.string().nullable().optional().describe('Only with this tag; null: only without any.'),
    from: z.number().nullish().describe('Stored then or later, in epoch seconds.'),
    before: z.number().nullish().describe('Stored before, in epoch seconds.'),
    filter,
    hidden,
    limit: countField(1, 500, 100, 'How many.'),
    cursor: z.string().nullish().describe('next of the page before.'),
  }),
  output: z.object({
    total: count,
    entries: z.array(
      z.object({
        entry_id: z.string(),
        task_text: z.string(),
        tags: tagsOut,
        project: projectOut,
        source: z.string(),
        stored_at: z.number(),
        expires_at: z.number().nullable(),
        expired: z.boolean(),
        superseded: z.boolean(),
        hits: count,
        versions: count,
      }),
    ),
    next: z.string().optional(),
  }),
  handle: (engine, args, { project }) =>
    engine.browse({
      own: project,
      project: args.project ?? undefined,
      tag: args.tag,
      from: args.from ?? undefined,
      before: args.before ?? undefined,
      filter: args.filter ?? undefined,
      hidden: args.hidden,
      limit: args.limit,
      cursor: args.cursor ?? undefined,
    }),
});

export const getEntry = defineTool({
  name: 'get_entry',
  title: 'Read an entry in any state',
  description: 'One whole entry of any project, also a superseded one or one in the trash.',
  annotations: LOOKS,
  input: z.strictObject({ entry_id: idField('Id from list, trash or search.') }),
  output: z.object({
    entry_id: z.string(),
    kind: kindOut,
    task_text: z.string(),
    answer: z.string(),
    tags: tagsOut,
    project: projectOut,
    scope: z.enum(['project', 'global', 'other_project']),
    source: z.string(),
    stored_at: z.number(),
    expires_at: z.number().nullable(),
    expired: z.boolean(),
    superseded_by: z.string().nullable(),
    deleted_at: z.number().nullable(),
    hits: count,
    revision: z.string(),
    history: z.array(
      z.object({ entry_id: z.string(), kind: kindOut, task_text: z.string(), stored_at: z.number() }),
    ),
  }),
  handle: (engine, { entry_id }, { project }) => engine.details(entry_id, project),
});
