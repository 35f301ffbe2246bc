import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { z } from 'zod';
import type { Engine } from '../core/engine.js';
import type { Hurry, Settings } from '../core/parts.js';
import type { Call, HealthNote } from '../core/ports.js';

/** Who is asking. */
export interface Caller {
  /** Project key and the name people know it by. */
  readonly project: { readonly key: string; readonly name: string };
  readonly settings: Settings;
  readonly captureEnabled: boolean;
  /** Names of the groups of tools it is offered. */
  readonly toolsets: readonly string[];
  /** What is not as it should be in how this caller is set up. */
  readonly notes: readonly HealthNote[];
  readonly hurry?: Hurry;
}

/** What all tools that only look have in common. Writing down that a question was asked is not a change. */
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** A tool as data: server, documents and tests are readings of it. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  /** Rejects with a ZodError where the arguments do not fit; only then is the engine opened. */
  handle(
    engine: () => Promise<Engine>,
    args: unknown,
    caller: Caller,
    call?: Call,
  ): Promise<Record<string, unknown>>;
}

interface Definition<Input extends z.ZodObject> extends Omit<Tool, 'handle' | 'input'> {
  readonly input: Input;
  handle(engine: Engine, args: z.output<Input>, caller: Caller, call?: Call): Promise<object>;
}

/** Ties a handler to the types of its own input schema; arguments are checked before it runs. */
export function defineTool<Input extends z.ZodObject>(definition: Definition<Input>): Tool {
  return {
    ...definition,
    handle: async (engine, args, caller, call) => {
      const checked = definition.input.parse(args);
      return { ...(await definition.handle(await engine(), checked, caller, call)) };
    },
  };
}
