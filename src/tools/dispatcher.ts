import {
  ErrorCode,
  McpError,
  type CallToolResult,
  type Tool as ListedTool,
} from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { Engine } from '../core/engine.js';
import { MemoryError, type ErrorReason } from '../core/errors.js';
import type { Call } from '../core/ports.js';
import type { Caller, Tool } from './tool.js';

export interface CallRecord {
  readonly tool: string;
  readonly milliseconds: number;
  readonly ok: boolean;
  /** Set where the failure was an expected one of the engine. */
  readonly reason?: ErrorReason;
  /** Set where the failure was not an expected one. */
  readonly error?: unknown;
}

interface Dispatcher {
  list(caller: Caller): ListedTool[];
  /** @param call names a request that its sender may send again */
  call(name: string, args: unknown, caller: Caller, call?: Call): Promise<CallToolResult>;
}

/**
 * Checks, runs, times and words every call; a tool only says what it does.
 * @param toolsets by the names callers ask for them with, in the order they are listed
 */
export function createDispatcher(
  toolsets: Readonly<Record<string, readonly Tool[]>>,
  engine: () => Promise<Engine>,
  clock: () => number,
  onCall: (record: CallRecord) => void,
): Dispatcher {
  const all = Object.entries(toolsets).flatMap(([toolset, tools]) =>
    tools.map((tool) => ({ toolset, tool, listed: toListed(tool) })),
  );
  const offered = (caller: Caller) => all.filter(({ toolset }) => caller.toolsets.includes(toolset));
  return {
    list: (caller) => offered(caller).map(({ listed }) => listed),
    call: async (name, args, caller, call) => {
      const tool = offered(caller).find((one) => one.tool.name === name)?.tool;
      if (!tool) {
        const names = offered(caller)
          .map((one) => one.tool.name)
          .join(', ');
        throw new McpError(
          ErrorCode.InvalidParams,
          `Unknown tool ${JSON.stringify(name.slice(0, 100))}. Tools: ${names}.`,
        );
      }
      const start = clock();
      const finish = (rest: Pick<CallRecord, 'ok' | 'error' | 'reason'>) =>
        onCall({ tool: name, milliseconds: clock() - start, ...rest });
      try {
        const result = await tool.handle(engine, args ?? {}, caller, call);
        finish({ ok: true });
        return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: result };
      } catch (error) {
        const expected = error instanceof z.ZodError ? wordIssue(tool, error) : wordExpected(error);
        const reason = error instanceof MemoryError ? { reason: error.reason } : {};
        finish({ ok: false, ...reason, ...(expected === null ? { error } : {}) });
        return failure(expected ?? unexpected(name, error));
      }
    },
  };
}

function failure(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] };
}

function wordExpected(error: unknown): string | null {
  return error instanceof MemoryError ? error.message : null;
}

function unexpected(name: string, error: unknown): string {
  const what = (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
  return `${name} failed: ${what}. This is a fault of Subconscious; its log has the details. Nothing was changed unless a result said so; the call may be repeated.`;
}

/** One thing that is wrong, as a sentence that names the parameter; a misspelt one explains a missing one. */
function wordIssue(tool: Tool, error: z.ZodError): string {
  const issue = error.issues.find(({ code }) => code === 'unrecognized_keys') ?? error.issues[0];
  const accepted = Object.keys(tool.input.shape);
  if (!issue) return `${tool.name}: unusable arguments.`;
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys
      .slice(0, 5)
      .map((key) => JSON.stringify(key.slice(0, 100)))
      .join(', ');
    const what = accepted.length > 0 ? `takes ${accepted.join(', ')}` : 'takes no parameters';
    return `${tool.name}: unknown parameter ${names}; it ${what}.`;
  }
  const path = issue.path.map(String).join('.');
  const where = path === '' ? 'arguments' : path;
  return `${tool.name}: ${where} ${wordCause(issue)}.`;
}

function wordCause(issue: z.core.$ZodIssue): string {
  // The fields' own sentences come first; zod's default ones all begin alike.
  if (!issue.message.startsWith('Invalid')) return issue.message;
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}`;
  if (issue.code !== 'invalid_type') return issue.message;
  return issue.expected === 'number' ? 'must be a finite number' : `must be of type ${issue.expected}`;
}

function toListed(tool: Tool): ListedTool {
  const { name, title, description, annotations } = tool;
  return {
    name,
    title,
    description,
    annotations,
    inputSchema: schemaOf(tool.input, 'input') as ListedTool['inputSchema'],
    outputSchema: schemaOf(tool.output, 'output') as ListedTool['outputSchema'],
  };
}

/** JSON Schema of the bounds clients need; every limit is checked again by the dispatcher. */
function schemaOf(schema: z.ZodObject, io: 'input' | 'output'): unknown {
  const json: Record<string, unknown> = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Every client hands these to its model: what says nothing is left out. Results may gain fields.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  delete json['$schema'];
  return json;
}
