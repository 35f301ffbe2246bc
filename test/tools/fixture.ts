import assert from 'node:assert/strict';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { adminTools } from '../../src/tools/adminTools.js';
import { coreTools } from '../../src/tools/coreTools.js';
import { createDispatcher, type CallRecord } from '../../src/tools/dispatcher.js';
import type { Caller } from '../../src/tools/tool.js';
import { openBench, PROJECT, SETTINGS, type Bench } from '../core/fixture.js';

export const CALLER: Caller = {
  project: { key: PROJECT, name: 'Project A' },
  settings: SETTINGS,
  captureEnabled: true,
  toolsets: ['core', 'admin'],
  notes: [],
};

export interface ToolBench extends Bench {
  readonly records: CallRecord[];
  readonly dispatcher: ReturnType<typeof createDispatcher>;
  readonly call: (name: string, args?: unknown) => Promise<CallToolResult>;
  /** The structured result of a call that must succeed. */
  readonly succeed: (name: string, args?: unknown) => Promise<Record<string, unknown>>;
  /** The sentence of a call that must be refused. */
  readonly refuse: (name: string, args?: unknown) => Promise<string>;
}

export async function openToolBench(options: Parameters<typeof openBench>[0] = {}): Promise<ToolBench> {
  const bench = await openBench(options);
  const records: CallRecord[] = [];
  const engine = () => Promise.resolve(bench.engine);
  const dispatcher = createDispatcher(
    { core: coreTools, admin: adminTools },
    engine,
    tickingClock(),
    (record) => records.push(record),
  );
  const calling = (name: string, args?: unknown) => dispatcher.call(name, args, CALLER);
  return {
    ...bench,
    records,
    dispatcher,
    call: calling,
    succeed: async (name, args) => {
      const result = await calling(name, args);
      assert.equal(result.isError, undefined, textOf(result));
      assert.ok(result.structuredContent);
      return result.structuredContent;
    },
    refuse: async (name, args) => {
      const result = await calling(name, args);
      assert.equal(result.isError, true, textOf(result));
      assert.equal(result.structuredContent, undefined);
      return textOf(result);
    },
  };
}

/** The one text block of a result. */
export function textOf({ content }: CallToolResult): string {
  const [block, ...others] = content;
  assert.deepEqual(others, []);
  assert.ok(block?.type === 'text');
  return block.text;
}

/** Every look at it is a millisecond later. */
function tickingClock(): () => number {
  let now = 0;
  return () => (now += 1);
}
