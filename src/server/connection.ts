import type { Readable, Writable } from 'node:stream';
import { hostWord, type Hello, type HostWord } from '../link/hello.js';
import type { HostRecord } from '../link/hostFile.js';
import { connectTo } from '../link/address.js';
import { LineSplitter, type Line } from '../link/lines.js';

/** Bytes that may wait for the other side before its sender is held up. */
export const HIGH_WATER = 1024 * 1024;
/** Bytes for the host that may wait; generous, because what holds up the client's input hides its end. */
const MAX_UNSENT = 16 * 1024 * 1024;
/** An entry with a long history is longer than any line a client may send. */
const MAX_ANSWER = 256 * 1024 * 1024;

/** The way to a host that has welcomed us. */
export interface Connection {
  readonly pid: number;
  /** Whether the host said that another one will take its place. */
  readonly succeeded: boolean;
  /** Whether what is sent piles up, because the host does not read it. */
  readonly full: boolean;
  send(line: string): void;
  /** Begins to hand over what the host says, line by line. Nothing is lost before this. */
  listen(on: {
    message(message: Readonly<Record<string, unknown>>, line: string): void;
    drained(): void;
    closed(): void;
  }): void;
  pause(): void;
  resume(): void;
  /** Ends the connection when everything has been sent. */
  close(): void;
  /** Ends it at once. */
  drop(): void;
}

export type Greeting =
  | { readonly kind: 'welcome'; readonly connection: Connection }
  /** Nobody listens there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly word: Extract<HostWord, { subconscious: 'refused' }> }
  /** The connection failed or ended, for a reason of the system's or without one. */
  | { readonly kind: 'ended'; readonly reason: string }
  /** Somebody listens and says nothing. */
  | { readonly kind: 'silent' };

/**
 * Connects to the host of `record` and says hello.
 * @param milliseconds to wait for the host's first word
 */
export function greet(record: HostRecord, hello: Hello, milliseconds: number): Promise<Greeting> {
  return new Promise((resolve) => {
    const socket = connectTo(record.address);
    let settled = false;
    const settle = (greeting: Greeting) => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      if (greeting.kind !== 'welcome') socket.destroy();
      resolve(greeting);
    };
    const timer = setTimeout(() => settle({ kind: 'silent' }), milliseconds);
    const splitter = new LineSplitter(MAX_ANSWER, (line) => inbox.take(line));
    const inbox = new Inbox((line) => {
      const word = 'text' in line ? hostWord(parse(line.text)) : null;
      if (word?.subconscious === 'welcome') {
        settle({ kind: 'welcome', connection: connectionOf(socket, socket, inbox, word.pid) });
      } else if (word?.subconscious === 'refused') settle({ kind: 'refused', word });
      else settle({ kind: 'ended', reason: 'it did not say hello' });
    });
    socket.on('data', (chunk: Buffer) => splitter.push(chunk));
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      const gone = code === 'ENOENT' || code === 'ECONNREFUSED';
      settle(gone ? { kind: 'gone' } : { kind: 'ended', reason: message });
    });
    socket.on('close', () => {
      settle({ kind: 'ended', reason: 'it closed the connection without a word' });
      inbox.closed();
    });
    socket.write(`${JSON.stringify(hello)}\n`);
  });
}

/** Keeps what comes until somebody listens; the first line goes to whoever waits for the greeting. */
class Inbox {
  private ended = false;
  private readonly kept: Line[] = [];
  private listener: { take(line: Line): void; closed(): void } | null = null;

  constructor(private first: ((line: Line) => void) | null) {}

  take(line: Line): void {
    const { first } = this;
    this.first = null;
    if (first) first(line);
    else if (this.listener) this.listener.take(line);
    else this.kept.push(line);
  }

  closed(): void {
    this.ended = true;
    this.listener?.closed();
  }

  listen(listener: { take(line: Line): void; closed(): void }): void {
    this.listener = listener;
    for (const line of this.kept.splice(0)) listener.take(line);
    if (this.ended) listener.closed();
  }
}

/** A connection without greeting, to a server in this process. */
export function overStreams(input: Readable, output: Writable, pid: number): Connection {
  const inbox = new Inbox(null);
  const splitter = new LineSplitter(MAX_ANSWER, (line) => inbox.take(line));
  input.on('data', (chunk: Buffer) => splitter.push(chunk)).on('close', () => inbox.closed());
  return connectionOf(input, output, inbox, pid);
}

function connectionOf(input: Readable, output: Writable, inbox: Inbox, pid: number): Connection {
  let succeeded = false;
  return {
    pid,
    get succeeded() {
      return succeeded;
    },
    get full() {
      return output.writableLength > MAX_UNSENT;
    },
    send: (line) => {
      if (!output.destroyed && !output.writableEnded) output.write(`${line}\n`);
    },
    listen: (on) => {
      output.on('drain', () => on.drained());
      inbox.listen({
        take: (line) => {
          if (!('text' in line)) return; // No host sends such a line.
          const message = parse(line.text);
          if (hostWord(message)?.subconscious === 'retiring') succeeded = true;
          else if (message) on.message(message, line.text);
        },
        closed: () => on.closed(),
      });
    },
    pause: () => void input.pause(),
    resume: () => void input.resume(),
    close: () => void output.end(),
    drop: () => {
      output.destroy();
      input.destroy();
    },
  };
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
