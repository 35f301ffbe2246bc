import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { adminTools } from '../../src/tools/adminTools.js';
import { coreTools } from '../../src/tools/coreTools.js';
import { createDispatcher } from '../../src/tools/dispatcher.js';
import { CALLER } from './fixture.js';

const snapshotOf = (toolset: string) => {
  const name = toolset === 'core' ? 'surface.snap.json' : `surface.${toolset}.snap.json`;
  return fileURLToPath(new URL(name, import.meta.url));
};
const CONTRACT = ['recall', 'remember', 'echo', 'drift_report', 'forget', 'stats'];

const dispatcher = createDispatcher(
  { core: coreTools, admin: adminTools },
  () => Promise.reject(new Error('unused')),
  () => 0,
  () => undefined,
);
const tools = dispatcher.list({ ...CALLER, toolsets: ['core'] });

describe('the surface of each toolset', () => {
  for (const toolset of ['core', 'admin']) {
    it(`${toolset} is the one that was reviewed; UPDATE_SNAPSHOTS=1 writes a new one to review`, () => {
      const listed = dispatcher.list({ ...CALLER, toolsets: [toolset] });
      const surface = `${JSON.stringify({ tools: listed }, null, 2)}\n`;
      if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(snapshotOf(toolset), surface);
      assert.deepEqual(JSON.parse(surface), JSON.parse(readFileSync(snapshotOf(toolset), 'utf8')));
    });
  }

  it('is what a caller that asks for several is offered, one after the other', () => {
    const names = dispatcher.list(CALLER).map(({ name }) => name);
    assert.deepEqual(
      names,
      [...coreTools, ...adminTools].map(({ name }) => name),
    );
  });
});

/** Tokens as a client's model will count them, about: one for every four characters. */
const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);

describe('the surface of the core toolset', () => {
  it('has at most eight tools, those of the contract among them', () => {
    const names = tools.map((tool) => tool.name);
    assert.ok(names.length <= 8);
    assert.deepEqual(
      CONTRACT.filter((name) => !names.includes(name)),
      [],
    );
    assert.equal(new Set(names).size, names.length);
  });

  it('costs a model at most 2,000 tokens', () => {
    // What clients hand to their model. Output schemas stay with the client, which checks results by them.
    const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
    assert.ok(tokens(shown) <= 2000, `${tokens(shown)} tokens`);
  });

  it('has a title, a description, both schemas and all four annotations on every tool', () => {
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      assert.match(name, /^[a-z]+(_[a-z]+)*$/);
      assert.ok(title && description && outputSchema, name);
      assert.equal(inputSchema['additionalProperties'], false, name);
      const changes = ['remember', 'forget'].includes(name);
      const expected = {
        readOnlyHint: !changes,
        destructiveHint: name === 'forget',
        idempotentHint: name !== 'remember',
        openWorldHint: false,
      };
      assert.deepEqual(annotations, expected, name);
    }
  });

  it('describes every parameter', () => {
    for (const { name, inputSchema } of tools) {
      for (const [property, schema] of Object.entries(inputSchema.properties ?? {})) {
        const { description } = schema as { description?: unknown };
        assert.ok(typeof description === 'string' && description !== '', `${name}.${property}`);
      }
    }
  });

  it('gives the defaults of the contract', () => {
    const defaults = tools.map(({ name, inputSchema }) => [
      name,
      Object.fromEntries(
        Object.entries(inputSchema.properties ?? {}).flatMap(([property, schema]) =>
          'default' in schema ? [[property, schema.default]] : [],
        ),
      ),
    ]);
    assert.deepEqual(Object.fromEntries(defaults), {
      recall: { top_k: 1 },
      remember: { skip_if_duplicate: false, scope: 'project' },
      echo: { top_k: 5 },
      search: { limit: 10, max_tokens: 2000, scope: 'project' },
      get: { scope: 'project' },
      forget: {},
      drift_report: { min_hits: 3, min_spread: 0.08 },
      stats: {},
    });
  });
});
