import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';

/** Longest line taken, in bytes. */
const MAX_LINE = 16 * 1024 * 1024;
/** Kept of each end of a longer line, to find the id its sender waits for. */
const EDGE = 1024;
const NEWLINE = 0x0a;
const NO_MESSAGE = 'Not a JSON-RPC 2.0 message.';
const NO_BATCH = 'Batches are not part of MCP: send every message as a line of its own.';

/**
 * Newline-delimited JSON-RPC over two streams. Unlike the SDK's own transport it answers what it cannot
 * read (bad JSON, lines over the limit) and goes on with the next line.
 */
export class LineTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  /** Resolves when nothing more will come in. What was asked may still be answered until close(). */
  readonly ended: Promise<void>;

  private parts: Buffer[] = [];
  private length = 0;
  private head = Buffer.alloc(0);
  private tail = Buffer.alloc(0);
  private closed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.ended = new Promise((resolve) => {
      const end = () => {
        if (this.length > 0) this.endLine();
        resolve();
      };
      input.once('end', end).once('close', end).once('error', end);
      // The reader is gone: nobody is left to ask for more. Every further write says so again.
      output.on('error', end).once('close', end);
    });
  }

  start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => this.take(chunk));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.closed || this.output.destroyed) return Promise.resolve();
    // A raw U+2028 is legal JSON, but some clients split lines at it.
    const line = JSON.stringify(message).replace(/[\u2028\u2029]/g, (c) =>
      c === '\u2028' ? '\\u2028' : '\\u2029',
    );
    return new Promise((resolve) => {
      this.output.write(`${line}\n`, () => resolve());
    });
  }

  /** Resolves when everything sent so far has been handed to the system. */
  flushed(): Promise<void> {
    return this.output.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => this.output.write('', () => resolve()));
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    this.input.removeAllListeners('data');
    this.onclose?.();
    return Promise.resolve();
  }

  private take(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.collect(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.collect(chunk.subarray(start));
  }

  /** Keeps a line's bytes up to the limit; of a longer one only its two ends. */
  private collect(bytes: Buffer): void {
    this.length += bytes.length;
    this.head = Buffer.concat([this.head, bytes.subarray(0, EDGE - this.head.length)]);
    this.tail = Buffer.concat([this.tail, bytes.subarray(-EDGE)]).subarray(-EDGE);
    if (this.length <= MAX_LINE) this.parts.push(bytes);
    else this.parts = [];
  }

  private endLine(): void {
    const { parts, length, head, tail } = this;
    this.parts = [];
    this.length = 0;
    this.head = Buffer.alloc(0);
    this.tail = Buffer.alloc(0);
    if (length > MAX_LINE) {
      const limit = `The line has ${length} bytes, more than the limit of 16 MiB; it was skipped.`;
      this.refuse(idOf(head.toString(), tail.toString()), ErrorCode.InvalidRequest, limit);
      return;
    }
    const text = Buffer.concat(parts).toString().trim();
    if (text !== '') this.parse(text);
  }

  private parse(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      this.refuse(null, ErrorCode.ParseError, `Not JSON: ${cause}`);
      return;
    }
    const message = JSONRPCMessageSchema.safeParse(value);
    if (message.success) this.onmessage?.(message.data);
    else this.refuse(idIn(value), ErrorCode.InvalidRequest, Array.isArray(value) ? NO_BATCH : NO_MESSAGE);
  }

  private refuse(id: RequestId | null, code: number, message: string): void {
    // JSON-RPC answers with a null id what it could not read; the SDK's types know no such id.
    void this.send({ jsonrpc: '2.0', id: id as RequestId, error: { code, message } });
    this.onerror?.(new Error(message));
  }
}

function idIn(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}

/** The id of a message of which only the two ends are known; clients write it first or last. */
function idOf(head: string, tail: string): RequestId | null {
  const atEnd = /"id"\s*:\s*(-?\d+|"[^"\\]*")\s*}\s*$/.exec(tail);
  const atStart = /^\s*{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?\d+|"[^"\\]*")/.exec(
    head,
  );
  const found = (atStart ?? atEnd)?.[1];
  return found === undefined ? null : (JSON.parse(found) as RequestId);
}
