import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { coreTools } from '../../src/tools/coreTools.js';
import { createDispatcher } from '../../src/tools/dispatcher.js';

const SNAPSHOT = fileURLToPath(new URL('surface.snap.json', import.meta.url));
const CONTRACT = ['recall', 'remember', 'echo', 'drift_report', 'forget', 'stats'];

const tools = createDispatcher(
  coreTools,
  () => Promise.reject(new Error('unused')),
  () => 0,
  () => undefined,
).list();

/** Tokens as a client's model will count them, about: one for every four characters. */
const tokens = (value: unknown) => Math.ceil(JSON.stringify(value).length / 4);

describe('the surface of the core toolset', () => {
  it('is the one that was reviewed; UPDATE_SNAPSHOTS=1 writes a new one to review', () => {
    const surface = `${JSON.stringify({ tools }, null, 2)}\n`;
    if (process.env['UPDATE_SNAPSHOTS'] === '1') writeFileSync(SNAPSHOT, surface);
    assert.deepEqual(JSON.parse(surface), JSON.parse(readFileSync(SNAPSHOT, 'utf8')));
  });

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
