import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from '../link/systemError.js';

/** A tool that said why it could not do what was asked. Told apart by its name: bundles have a class of their own each. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';
}

const REQUEST_TIMEOUT: number = ErrorCode.RequestTimeout;
const CONNECTION_CLOSED: number = ErrorCode.ConnectionClosed;

export function isTimeout(error: unknown): boolean {
  return error instanceof McpError && error.code === REQUEST_TIMEOUT;
}

/** The server has gone, or has closed its output. Servers use the library's code for failures of their own, too. */
export function isClosed(error: unknown): boolean {
  return (
    error instanceof McpError && error.code === CONNECTION_CLOSED && plainWords(error) === 'Connection closed'
  );
}

/** A failure without what the protocol's library puts in front. */
export function plainWords(error: unknown): string {
  return messageOf(error).replace(/^MCP error -?\d+: /, '');
}
