import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CancelledNotificationSchema,
  ErrorCode,
  JSONRPCMessageSchema,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js';
import { LineSplitter, MAX_LINE, tooLong, type Line } from '../link/lines.js';
import { OpenRequests } from './openRequests.js';

/** Answers the other side has not read, in bytes; above, nothing more is read from it. */
const MAX_UNREAD = 1024 * 1024;
const NO_MESSAGE =
  'Not a JSON-RPC 2.0 message as MCP has them: "jsonrpc" is "2.0", "id" a string or an integer, "method" a string, ' +
  '"params" an object.';
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

  private readonly lines = new LineSplitter(MAX_LINE, (line) => this.take(line));
  private closed = false;
  private deaf = false;
  private waiting = false;
  private held = false;
  private readonly work = new OpenRequests();
  private room: Promise<void> = Promise.resolve();

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
  ) {
    this.ended = new Promise((resolve) => {
      const end = () => {
        this.lines.end();
        resolve();
      };
      input.once('end', end).once('close', end).once('error', end);
      // The reader is gone: nobody is left to ask for more. Every further write says so again.
      output.on('error', end).once('close', end);
    });
  }

  start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => this.lines.push(chunk));
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.closed || this.output.destroyed) return Promise.resolve();
    // A raw U+2028 is legal JSON, but some clients split lines at it.
    const line = JSON.stringify(message).replace(/[\u2028\u2029]/g, (c) =>
      c === '\u2028' ? '\\u2028' : '\\u2029',
    );
    if (!('method' in message)) this.work.done(message.id);
    return new Promise((resolve) => {
      this.output.write(`${line}\n`, () => resolve());
      this.waitForReader();
      this.flow();
    });
  }

  /**
   * From now on what comes in is neither delivered nor answered; what was asked before still is. The input is read
   * on, so that its end is noticed.
   */
  pause(): void {
    this.deaf = true;
  }

  /** Resolves when everything sent so far has been handed to the system. */
  flushed(): Promise<void> {
    return this.output.destroyed
      ? Promise.resolve()
      : new Promise((resolve) => this.output.write('', () => resolve()));
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = this.deaf = true;
    this.input.removeAllListeners('data');
    this.onclose?.();
    return Promise.resolve();
  }

  /**
   * Resolves when the other side has read most of what it was sent; rejects when it is gone before that. To be
   * awaited before work on a request begins: one chunk holds hundreds of them.
   */
  hasRoom(): Promise<void> {
    return this.room;
  }

  /** The answers to ever more requests would pile up in memory. */
  private waitForReader(): void {
    const { output } = this;
    if (this.waiting || output.writableLength <= MAX_UNREAD) return;
    this.waiting = true;
    this.room = new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        output.off('drain', drained).off('close', gone);
        this.waiting = false;
        act();
        this.flow();
      };
      const drained = () => settle(resolve);
      const gone = () => settle(() => reject(new Error('the client is gone')));
      output.on('drain', drained).on('close', gone);
    });
    this.room.catch(() => undefined); // Perhaps nobody waits.
  }

  /** Who does not read, or has too much being worked on, is not read from. */
  private flow(): void {
    const hold = this.waiting || this.work.full;
    if (hold === this.held) return;
    this.held = hold;
    if (hold) this.input.pause();
    else this.input.resume();
  }

  private take(line: Line): void {
    if (this.deaf) return;
    if ('text' in line) this.parse(line.text);
    else this.refuse(line.id, ErrorCode.InvalidRequest, tooLong(line.oversize));
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
    if (message.success) this.deliver(message.data, text.length);
    else this.refuse(idIn(value), ErrorCode.InvalidRequest, Array.isArray(value) ? NO_BATCH : NO_MESSAGE);
  }

  private deliver(message: JSONRPCMessage, length: number): void {
    if ('method' in message && 'id' in message) this.work.begin(message.id, length);
    // A cancelled request gets no answer.
    const cancelled = CancelledNotificationSchema.safeParse(message).data?.params.requestId;
    if (cancelled !== undefined) this.work.done(cancelled);
    this.flow();
    this.onmessage?.(message);
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
