import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type * as vscode from 'vscode';
import type { Answer, Hello, Script } from './bridge/messages.js';

/** In milliseconds; a script may wait for a model to be loaded. */
const SCRIPT_TIME = 60_000;

/** One extension host, which belongs to one window until that is reloaded. */
export class ExtensionHost {
  private last = 0;
  private readonly waiting = new Map<number, Pending<unknown>>();

  constructor(
    readonly pid: number,
    private readonly socket: Socket,
  ) {
    socket.on('close', () => {
      for (const { reject } of this.waiting.values()) reject(new Error('the extension host has ended'));
    });
  }

  /**
   * Runs `script` in the extension host and gives what it returns, as JSON. It is sent as text: whatever it
   * needs has to come in through `argument`.
   */
  async run<A, R>(
    script: (api: typeof vscode, argument: A) => R | Thenable<R>,
    argument: A,
    milliseconds = SCRIPT_TIME,
  ): Promise<R> {
    const id = (this.last += 1);
    const answer = withResolvers<unknown>();
    this.waiting.set(id, answer);
    const timer = setTimeout(
      () => answer.reject(new Error(`no answer of a script: ${String(script)}`)),
      milliseconds,
    );
    this.socket.write(`${JSON.stringify({ id, source: String(script), argument } satisfies Script)}\n`);
    try {
      return (await answer.promise) as R;
    } finally {
      clearTimeout(timer);
      this.waiting.delete(id);
    }
  }

  answered({ id, value, fault }: Answer): void {
    const answer = this.waiting.get(id);
    if (fault === undefined) answer?.resolve(value);
    else answer?.reject(new Error(fault));
  }
}

/** Where the extension hosts of one workbench report. */
export class HostListener {
  private constructor(private readonly server: Server) {}

  static async listen(address: string): Promise<HostListener> {
    const server = createServer();
    server.listen(address);
    await once(server, 'listening');
    return new HostListener(server);
  }

  /** The extension host that `action` starts. Throws when none has reported after `seconds`. */
  async startedBy(action: () => Promise<unknown>, seconds = 60): Promise<ExtensionHost> {
    const next = withResolvers<ExtensionHost>();
    const greet = (socket: Socket) => void this.greet(socket).then(next.resolve, next.reject);
    this.server.once('connection', greet);
    const timer = setTimeout(
      () => next.reject(new Error(`no extension host started in ${seconds} seconds`)),
      seconds * 1000,
    );
    try {
      const [host] = await Promise.all([next.promise, action()]);
      return host;
    } finally {
      clearTimeout(timer);
      this.server.off('connection', greet);
    }
  }

  private async greet(socket: Socket): Promise<ExtensionHost> {
    socket.on('error', () => socket.destroy());
    const lines = createInterface({ input: socket });
    const [hello] = (await once(lines, 'line')) as [string];
    const host = new ExtensionHost((JSON.parse(hello) as Hello).pid, socket);
    lines.on('line', (line) => host.answered(JSON.parse(line) as Answer));
    return host;
  }

  close(): void {
    this.server.close();
  }
}

/** `Promise.withResolvers`, which Node 20 does not have. */
function withResolvers<T>(): Pending<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: Error) => void;
  const promise = new Promise<T>((...both) => ([resolve, reject] = both));
  // Whoever waits for it hears of it; nobody may be left who does.
  promise.catch(() => undefined);
  return { promise, resolve, reject };
}

interface Pending<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: Error) => void;
}
