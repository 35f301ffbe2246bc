import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  ErrorCode,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  McpError,
  ReadResourceResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Engine } from '../../src/core/engine.js';
import { MemoryError } from '../../src/core/errors.js';
import {
  affectedResources,
  listResources,
  readResource,
  requireResource,
  resourceTemplates,
} from '../../src/tools/resources.js';
import { openBench, OTHER_PROJECT, PROJECT, rememberId, type Bench } from '../core/fixture.js';
import type { Caller } from '../../src/tools/tool.js';
import { CALLER as EVERYTHING } from './fixture.js';

/** An agent; the sidebar is offered everything. */
const CALLER = { ...EVERYTHING, toolsets: ['core'] };
const ENTRIES = 'memory://entries';
const PROJECTS = 'memory://projects';
const META = { ttlMs: 0, cacheScope: 'private' };
const OWNED = 'Process 4711 owns the folder. Close it first.';
const elsewhere = { ...CALLER, project: { key: OTHER_PROJECT, name: 'Project B' } };

const opened = (bench: Bench) => () => Promise.resolve(bench.engine);
const unopened = (error: Error) => (): Promise<Engine> => Promise.reject(error);

/** The JSON of a resource that must be there. */
async function read(bench: Bench, uri: string, caller: Caller = CALLER): Promise<Record<string, unknown>> {
  const result = await readResource(opened(bench), caller, uri);
  assert.deepEqual(ReadResourceResultSchema.parse(result), result, 'clients see all of it');
  assert.deepEqual(result._meta, META);
  const [content, ...others] = result.contents;
  assert.deepEqual(others, []);
  assert.ok(content && 'text' in content);
  assert.deepEqual([content.uri, content.mimeType], [uri, 'application/json']);
  return JSON.parse(content.text) as Record<string, unknown>;
}

async function listed(bench: Bench, cursor?: string, caller = CALLER) {
  const result = await listResources(opened(bench), caller, cursor);
  assert.deepEqual(ListResourcesResultSchema.parse(result), result, 'clients see all of it');
  assert.deepEqual(result._meta, META);
  return result;
}

/** Refused, whether it is read or subscribed to. */
async function refused(bench: Bench, uri: string, sentence: RegExp): Promise<void> {
  for (const ask of [readResource, requireResource]) {
    await assert.rejects(ask(opened(bench), CALLER, uri), (error) => {
      assert.ok(error instanceof McpError, String(error));
      assert.equal(error.code, ErrorCode.InvalidParams, uri);
      assert.match(error.message, sentence);
      return true;
    });
  }
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ id: `row-${n}`, task: `task ${n}`, storedAt: n }));

describe('the list of resources', () => {
  it('begins with the list of entries, and has each entry with its task as name and its time', async () => {
    const bench = await openBench({ rows: [{ id: 'row', task: 'the task', storedAt: 1_700_000_000.5 }] });
    const { resources, nextCursor } = await listed(bench);
    assert.deepEqual(
      resources.map(({ uri, name, mimeType, annotations }) => ({ uri, name, mimeType, annotations })),
      [
        {
          uri: ENTRIES,
          name: 'Memories of this project',
          mimeType: 'application/json',
          annotations: undefined,
        },
        {
          uri: `${ENTRIES}/row`,
          name: 'the task',
          mimeType: 'application/json',
          annotations: { lastModified: '2023-11-14T22:13:20.500Z' },
        },
      ],
    );
    assert.equal(nextCursor, undefined);
  });

  it('comes in pages of 100 entries, newest first', async () => {
    const bench = await openBench({ rows: rows(250) });
    const pages: string[][] = [];
    let cursor: string | undefined;
    do {
      const { resources, nextCursor } = await listed(bench, cursor);
      pages.push(resources.map(({ uri }) => uri));
      cursor = nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(
      pages.map(({ length }) => length),
      [101, 100, 50],
    );
    const uris = rows(250).map(({ id }) => `${ENTRIES}/${id}`);
    assert.deepEqual(pages.flat(), [ENTRIES, ...uris.reverse()]);
  });

  it('names an entry by at most 100 characters on one line, none cut in two', async () => {
    const bench = await openBench({ rows: [{ task: ` first\n\tline ${'🦓'.repeat(100)}` }] });
    const name = (await listed(bench)).resources[1]?.name ?? '';
    assert.match(name, /^first line 🦓/u);
    assert.ok(name.length <= 100);
    assert.ok(name.isWellFormed());
  });

  it('leaves out a time that clients cannot read', async () => {
    const times = [-1, 253_402_300_800, 1e300];
    const bench = await openBench({ rows: times.map((storedAt) => ({ storedAt })) });
    const { resources } = await listed(bench);
    assert.equal(resources.length, 4);
    assert.ok(resources.every(({ annotations }) => annotations === undefined));
  });

  it('belongs to the project of the caller', async () => {
    const bench = await openBench({ rows: [{ id: 'mine' }, { id: 'global', project: '' }] });
    const { resources } = await listed(bench, undefined, elsewhere);
    assert.deepEqual(
      resources.map(({ uri }) => uri),
      [ENTRIES, `${ENTRIES}/global`],
    );
  });

  it('refuses a cursor that it did not give', async () => {
    const bench = await openBench();
    await assert.rejects(listResources(opened(bench), CALLER, 'page 2'), {
      code: ErrorCode.InvalidParams,
      message: /cursor: .*Leave it out/,
    });
  });

  it('has a template that leads to every entry', async () => {
    const result = resourceTemplates();
    assert.deepEqual(ListResourceTemplatesResultSchema.parse(result), result, 'clients see all of it');
    assert.deepEqual(result._meta, META);
    const template = result.resourceTemplates[0]?.uriTemplate ?? '';
    const bench = await openBench({ rows: [{ id: 'row' }] });
    assert.equal((await read(bench, template.replace('{entry_id}', 'row')))['entry_id'], 'row');
  });
});

describe('the resource of all entries', () => {
  it('is the newest 200 with their number, and where the list of resources goes on', async () => {
    const bench = await openBench({ rows: rows(250) });
    const { project, total, entries, next } = await read(bench, ENTRIES);
    assert.deepEqual([project, total, (entries as unknown[]).length], ['Project A', 250, 200]);
    const { entries: expected } = await bench.engine.list({ project: PROJECT, limit: 200 });
    assert.deepEqual(entries, JSON.parse(JSON.stringify(expected)));
    assert.equal((await listed(bench, String(next))).resources[0]?.uri, `${ENTRIES}/row-49`);
  });

  it('is there for an empty store', async () => {
    const bench = await openBench();
    assert.deepEqual(await read(bench, ENTRIES), { project: 'Project A', total: 0, entries: [] });
    await requireResource(opened(bench), CALLER, ENTRIES);
  });
});

describe('the resource of all projects', () => {
  it('is what outline returns, for who is offered the tools of the sidebar', async () => {
    const bench = await openBench({ rows: [{ project: OTHER_PROJECT, tags: ['one'] }, { project: '' }] });
    const { resources } = await listResources(opened(bench), EVERYTHING);
    assert.deepEqual(
      resources.slice(0, 2).map(({ uri, name }) => [uri, name]),
      [
        [ENTRIES, 'Memories of this project'],
        [PROJECTS, 'Memories of all projects'],
      ],
    );
    const project = { key: PROJECT, name: 'Project A' };
    const expected = await bench.engine.outline({ project, groupBy: 'tag', since: [], hidden: false });
    assert.equal(expected.total, 2);
    assert.deepEqual(await read(bench, PROJECTS, EVERYTHING), expected);
    await requireResource(opened(bench), EVERYTHING, PROJECTS);
  });

  it('is nothing an agent knows of', async () => {
    const bench = await openBench();
    assert.ok((await listed(bench)).resources.every(({ uri }) => uri !== PROJECTS));
    await refused(bench, PROJECTS, /Unknown resource/);
  });
});

describe('the resource of an entry', () => {
  it('is what get returns, with its history', async () => {
    const bench = await openBench();
    const old = await rememberId(bench, 'the task');
    const id = await rememberId(bench, 'the task', { answer: 'better', supersedes: old, tags: ['one'] });
    const entry = await bench.engine.get({ id, project: PROJECT, scope: 'project' });
    assert.equal(entry.history.length, 1);
    assert.deepEqual(await read(bench, `${ENTRIES}/${id}`), entry);
    assert.equal((await read(bench, `${ENTRIES}/${old}`))['superseded_by'], id);
    await requireResource(opened(bench), CALLER, `${ENTRIES}/${id}`);
  });

  it('may have any id: the list, the change and the resource agree on its name', async () => {
    const odd = "my/note?#%41 (1)*! 'é' 🦓";
    const bench = await openBench({ rows: [{ id: odd }] });
    const uri = (await listed(bench)).resources[1]?.uri ?? '';
    assert.match(uri, /^memory:\/\/entries\/[A-Za-z0-9%._~-]+$/);
    assert.equal((await read(bench, uri))['entry_id'], odd);
    assert.deepEqual(affectedResources({ ids: [odd], projects: [PROJECT] }, CALLER), [ENTRIES, uri]);
    await refused(bench, `${ENTRIES}/${odd}`, /Unknown resource/);
  });

  it('is not there where the entry is unknown, forgotten, or of another project: one sentence for all', async () => {
    const bench = await openBench({ rows: [{ id: 'foreign', project: OTHER_PROJECT }] });
    const forgotten = await rememberId(bench, 'the task');
    await bench.engine.forget(forgotten, PROJECT);
    for (const id of ['unknown', forgotten, 'foreign', '__proto__', 'x'.repeat(10_000)]) {
      await refused(
        bench,
        `${ENTRIES}/${id}`,
        /No such entry in the memory of this project.*List the resources/,
      );
    }
  });
});

describe('a URI that no resource can have', () => {
  it('is refused, naming those that there are', async () => {
    const bench = await openBench();
    const uris = ['', 'memory://', 'memory://entry', `${ENTRIES}/`, `${ENTRIES}/a/b`, `${ENTRIES}?x=1`];
    const encoded = [`${ENTRIES}/%`, `${ENTRIES}/%41`, `${ENTRIES}/%ff`, `${ENTRIES}/\ud800`];
    for (const uri of [...uris, ...encoded, ' memory://entries', 'file:///etc/passwd', 'MEMORY://entries']) {
      await refused(bench, uri, /Unknown resource ".*"\. Resources: memory:\/\/entries, and memory:/);
    }
  });

  it('is cut off in the answer', async () => {
    const bench = await openBench();
    await assert.rejects(
      readResource(opened(bench), CALLER, 'x'.repeat(100_000)),
      (error) => error instanceof McpError && error.message.length < 500,
    );
  });
});

describe('resources without an engine', () => {
  const asks: readonly ((engine: () => Promise<Engine>) => Promise<unknown>)[] = [
    (engine) => listResources(engine, CALLER),
    (engine) => readResource(engine, CALLER, ENTRIES),
    (engine) => readResource(engine, CALLER, `${ENTRIES}/row`),
    (engine) => requireResource(engine, CALLER, `${ENTRIES}/row`),
  ];

  it('say why it cannot be opened', async () => {
    for (const ask of asks) {
      await assert.rejects(ask(unopened(new MemoryError('owned', OWNED))), (error) => {
        assert.ok(error instanceof McpError, String(error));
        assert.equal(error.code, ErrorCode.InternalError);
        assert.match(error.message, /Process 4711 owns the folder\. Close it first\.$/);
        return true;
      });
    }
  });

  it('pass on what nobody expected as it is, for the log', async () => {
    const failure = new TypeError('out of order');
    for (const ask of asks) await assert.rejects(ask(unopened(failure)), (error) => error === failure);
  });
});

describe('what a subscriber is told of', () => {
  const change = { ids: ['new', 'old'], projects: [PROJECT] };
  const all = [ENTRIES, `${ENTRIES}/new`, `${ENTRIES}/old`];

  it('is the list and each entry, where the change is about its project or a global one', () => {
    assert.deepEqual(affectedResources(change, CALLER), all);
    assert.deepEqual(affectedResources({ ...change, projects: [''], shared: true }, elsewhere), all);
    assert.deepEqual(affectedResources({ ...change, projects: ['', PROJECT], shared: true }, elsewhere), all);
  });

  it('is nothing where it is about others', () => {
    assert.deepEqual(affectedResources(change, elsewhere), []);
    const nowhere = { ...CALLER, project: { key: '', name: 'global' } };
    assert.deepEqual(affectedResources(change, nowhere), []);
    // A session in the home folder.
    assert.deepEqual(affectedResources({ ...change, projects: [''] }, elsewhere), []);
    assert.deepEqual(affectedResources({ ...change, projects: [''] }, nowhere), all);
  });

  it('is of every change the list of all projects, for who is offered the tools of the sidebar', () => {
    assert.deepEqual(affectedResources(change, EVERYTHING), [PROJECTS, ...all]);
    const foreign = { ...change, projects: [OTHER_PROJECT] };
    assert.deepEqual(affectedResources(foreign, EVERYTHING), [PROJECTS]);
  });

  it('is nothing but that list where only what is known of the rows has changed', () => {
    const bookkeeping = { ...change, projects: ['', PROJECT], shared: true, bookkeeping: true };
    assert.deepEqual(affectedResources(bookkeeping, EVERYTHING), [PROJECTS]);
    assert.deepEqual(affectedResources(bookkeeping, CALLER), []);
  });

  it('includes an entry that was forgotten', async () => {
    const bench = await openBench();
    const id = await rememberId(bench, 'the task');
    const told: string[][] = [];
    bench.engine.onChange((happened) => told.push(affectedResources(happened, CALLER)));
    await bench.engine.forget(id, PROJECT);
    assert.deepEqual(told, [[ENTRIES, `${ENTRIES}/${id}`]]);
  });
});
