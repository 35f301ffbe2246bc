import {
  ErrorCode,
  McpError,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
  type Resource,
} from '@modelcontextprotocol/sdk/types.js';
import type { Change } from '../core/changes.js';
import type { Engine } from '../core/engine.js';
import { MemoryError } from '../core/errors.js';
import type { ListedEntry } from '../core/listing.js';
import { shorten } from '../core/text.js';
import type { Caller } from './tool.js';

const ENTRIES = 'memory://entries';
/** For the sidebar: what everybody remembers is nothing for an agent. */
const PROJECTS = 'memory://projects';
const TEMPLATE = `${ENTRIES}/{entry_id}`;
const JSON_TYPE = 'application/json';
/** Entries on a page of the list of resources. */
const PAGE = 100;
/** Entries in the resource that lists them. */
const SHOWN = 200;
const NAME_LENGTH = 100;
const NOT_HERE =
  'No such entry in the memory of this project: it never was there, or was forgotten. List the resources, or take ' +
  'an entry_id from recall, echo or search.';

/** Any client may change memory at any time, and it is nobody else's business. */
const _meta = { ttlMs: 0, cacheScope: 'private' };

const allEntries: Resource = {
  uri: ENTRIES,
  name: 'Memories of this project',
  description: `The newest ${SHOWN} entries this project sees, without answers.`,
  mimeType: JSON_TYPE,
};

const allProjects: Resource = {
  uri: PROJECTS,
  name: 'Memories of all projects',
  description: 'How many memories each project has, by tag.',
  mimeType: JSON_TYPE,
};

/**
 * What can be read: the list of entries, then every entry, newest first, in pages.
 * Rejects with an `McpError` where the cursor is none, or the engine cannot be opened.
 */
export async function listResources(
  engine: () => Promise<Engine>,
  caller: Caller,
  cursor?: string,
): Promise<ListResourcesResult> {
  const { project } = caller;
  const request = { project: project.key, limit: PAGE, cursor };
  const { entries, next } = await worded(async () => (await engine()).list(request));
  const resources = entries.map(toResource);
  const lists = [allEntries, ...(seesAll(caller) ? [allProjects] : [])];
  return {
    resources: cursor === undefined ? [...lists, ...resources] : resources,
    ...(next === undefined ? {} : { nextCursor: next }),
    _meta,
  };
}

export function resourceTemplates(): ListResourceTemplatesResult {
  const description = 'One whole entry with what it replaced.';
  const template = { uriTemplate: TEMPLATE, name: 'Memory entry', description, mimeType: JSON_TYPE };
  return { resourceTemplates: [template], _meta };
}

/** Rejects with an `McpError` where this caller has no such resource, or the engine cannot be opened. */
export async function readResource(
  engine: () => Promise<Engine>,
  caller: Caller,
  uri: string,
): Promise<ReadResourceResult> {
  const content = await contentOf(engine, caller, uri);
  return { contents: [{ uri, mimeType: JSON_TYPE, text: JSON.stringify(content) }], _meta };
}

/** As a subscription needs it: rejects, as {@link readResource} does, where there is nothing to subscribe to. */
export async function requireResource(
  engine: () => Promise<Engine>,
  caller: Caller,
  uri: string,
): Promise<void> {
  if (uri === ENTRIES || isProjects(caller, uri)) return;
  await entryOf(engine, caller, entryIdOf(uri));
}

/** URIs of what a change may have changed for this caller; of projects it does not see only the list of all of them. */
export function affectedResources(change: Change, caller: Caller): string[] {
  const { ids, projects, shared, bookkeeping } = change;
  const all = seesAll(caller) ? [PROJECTS] : [];
  const isSeen = shared === true || projects.includes(caller.project.key);
  return bookkeeping || !isSeen ? all : [...all, ENTRIES, ...ids.map(uriOf)];
}

function seesAll({ toolsets }: Caller): boolean {
  return toolsets.includes('admin');
}

function isProjects(caller: Caller, uri: string): boolean {
  return uri === PROJECTS && seesAll(caller);
}

async function contentOf(engine: () => Promise<Engine>, caller: Caller, uri: string): Promise<object> {
  if (uri === ENTRIES) return listOf(engine, caller);
  if (!isProjects(caller, uri)) return entryOf(engine, caller, entryIdOf(uri));
  const { key, name } = caller.project;
  const request = { project: { key, name }, groupBy: 'tag', since: [], hidden: false } as const;
  return worded(async () => (await engine()).outline(request));
}

async function listOf(engine: () => Promise<Engine>, { project }: Caller): Promise<object> {
  const request = { project: project.key, limit: SHOWN };
  return { project: project.name, ...(await worded(async () => (await engine()).list(request))) };
}

async function entryOf(engine: () => Promise<Engine>, { project }: Caller, id: string): Promise<object> {
  return worded(async () => (await engine()).get({ id, project: project.key, scope: 'project' }));
}

function toResource({ entry_id, task_text, stored_at }: ListedEntry): Resource {
  const lastModified = isoTime(stored_at);
  return {
    uri: uriOf(entry_id),
    name: shorten(task_text.replace(/\s+/gu, ' ').trim(), NAME_LENGTH),
    mimeType: JSON_TYPE,
    ...(lastModified === null ? {} : { annotations: { lastModified } }),
  };
}

/** Null outside the years 1970 to 9999: clients refuse a whole list for one date they cannot read. */
function isoTime(seconds: number): string | null {
  return seconds >= 0 && seconds < 253_402_300_800 ? new Date(seconds * 1000).toISOString() : null;
}

/** As a client expands the template: https://www.rfc-editor.org/rfc/rfc6570#section-3.2.2 */
function uriOf(id: string): string {
  const escaped = (sign: string) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  return `${ENTRIES}/${encodeURIComponent(id).replace(/[!'()*]/g, escaped)}`;
}

/** Throws an `McpError` where no entry can have this URI. */
function entryIdOf(uri: string): string {
  const id = uri.startsWith(`${ENTRIES}/`) ? decoded(uri.slice(ENTRIES.length + 1)) : '';
  // One spelling for each entry: changes are told by it.
  if (id !== '' && uriOf(id) === uri) return id;
  const what = JSON.stringify(shorten(uri, 200));
  throw new McpError(
    ErrorCode.InvalidParams,
    `Unknown resource ${what}. Resources: ${ENTRIES}, and ${TEMPLATE} with an id from recall, echo or search.`,
  );
}

function decoded(text: string): string {
  try {
    // Half a character, which has no encoded form, becomes another one.
    return decodeURIComponent(text.toWellFormed());
  } catch {
    return '';
  }
}

/** Passes expected failures on as protocol errors with their sentence; others as they are. */
async function worded<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    // Not the sentence of the tool: it speaks of parameters, and whether another project has the entry.
    if (error.reason === 'not_found') throw new McpError(ErrorCode.InvalidParams, NOT_HERE);
    const code = error.reason === 'invalid' ? ErrorCode.InvalidParams : ErrorCode.InternalError;
    throw new McpError(code, error.message);
  }
}
