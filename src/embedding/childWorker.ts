import { spawn, type ChildProcess } from 'node:child_process';
import { parse } from 'node:path';
import type { EmbedReply, EmbedRequest } from './protocol.js';
import { wording } from './wording.js';
import { CannotStart, WorkerDied, type EmbedWorker } from './embedWorker.js';

export interface ChildWorkerOptions {
  /** Absolute path of the embedder's bundle. */
  readonly script: string;
  readonly modelFolder: string;
  /** Program that runs the script. */
  readonly nodePath: string;
  /** A child that is silent for so long while it loads counts as dead. */
  readonly loadSeconds: number;
  /** The same while something is asked of it. */
  readonly answerSeconds: number;
}

interface Waiting<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** One child process from its start to its end. */
export class ChildWorker implements EmbedWorker {
  readonly pid: number | undefined;
  readonly ready: Promise<string>;
  /** Resolves with a description, e.g. `signal SIGKILL`, once the process is gone. */
  readonly ended: Promise<string>;

  private readonly child: ChildProcess;
  private readonly answerSeconds: number;
  private starting: Waiting<string> | undefined;
  private asking: (Waiting<Float32Array[]> & { readonly id: number }) | undefined;
  private lastId = 0;
  private gone = false;
  private watch: NodeJS.Timeout | undefined;

  /** @throws CannotStart where that is known at once; otherwise `ready` rejects with it. */
  constructor(options: ChildWorkerOptions) {
    this.answerSeconds = options.answerSeconds;
    this.child = start(options);
    this.pid = this.child.pid;
    this.ready = new Promise((resolve, reject) => {
      this.starting = { resolve, reject };
    });
    this.ended = new Promise((resolve) => {
      const over = (how: string, error: Error) => {
        this.gone = true;
        this.settle(error);
        resolve(how);
      };
      this.child.on('exit', (code, signal) => {
        const how = signal === null ? `exit code ${String(code)}` : `signal ${signal}`;
        over(how, new WorkerDied(`the embedder process ended with ${how}`));
      });
      // Once it runs, this event only repeats what `exit` says, e.g. that a message was not delivered.
      this.child.on('error', (cause) => {
        if (this.pid === undefined) over(cause.message, new CannotStart(cause.message, { cause }));
      });
    });
    // Without its channel a child is of no use, whether or not it notices.
    this.child.on('disconnect', () => this.child.kill('SIGKILL'));
    // The only sender is our own child.
    this.child.on('message', (message) => this.receive(message as EmbedReply));
    this.watchAnswer(options.loadSeconds);
  }

  embed(texts: readonly string[]): Promise<Float32Array[]> {
    return new Promise((resolve, reject) => {
      if (this.gone) {
        reject(new WorkerDied('the embedder process has ended'));
        return;
      }
      const request: EmbedRequest = { id: (this.lastId += 1), texts };
      this.asking = { id: request.id, resolve, reject };
      this.watchAnswer(this.answerSeconds);
      // What cannot be delivered is followed by `exit`, which rejects it.
      this.child.send(request, () => undefined);
    });
  }

  hold(pending: boolean): void {
    if (pending) {
      this.child.ref();
      this.child.channel?.ref();
    } else {
      this.child.unref();
      this.child.channel?.unref();
    }
  }

  async end(): Promise<void> {
    if (this.gone) return;
    // Otherwise the event loop may end before the process is known to be gone.
    this.child.ref();
    // It holds nothing that could be lost, and a signal it can handle would wait for a running inference.
    this.child.kill('SIGKILL');
    await this.ended;
  }

  private receive(reply: EmbedReply): void {
    clearTimeout(this.watch);
    if (reply.kind === 'working') {
      if (this.asking !== undefined) this.watchAnswer(this.answerSeconds);
      return;
    }
    if (reply.kind === 'ready') this.starting?.resolve(reply.runtime);
    if (reply.kind === 'failed') this.starting?.reject(new Error(reply.reason));
    if (reply.kind === 'ready' || reply.kind === 'failed') {
      this.starting = undefined;
      return;
    }
    const asking = this.asking;
    if (asking?.id !== reply.id) return;
    this.asking = undefined;
    if (reply.kind === 'vectors') asking.resolve(reply.vectors);
    else asking.reject(new Error(reply.error));
  }

  private settle(error: Error): void {
    clearTimeout(this.watch);
    this.starting?.reject(error);
    this.asking?.reject(error);
    this.starting = undefined;
    this.asking = undefined;
  }

  /** A stopped or stuck child would otherwise hold up every request for good. */
  private watchAnswer(seconds: number): void {
    clearTimeout(this.watch);
    this.watch = setTimeout(() => this.child.kill('SIGKILL'), seconds * 1000);
  }
}

function start(options: ChildWorkerOptions): ChildProcess {
  try {
    // The environment is passed on as it is: inside an editor ELECTRON_RUN_AS_NODE makes its program a Node.
    // Not `fork`, which hands this process's own flags on.
    return spawn(options.nodePath, [options.script, options.modelFolder], {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      windowsHide: true,
      // A folder that nobody wants to delete or unmount while the child runs.
      cwd: parse(process.execPath).root,
    });
  } catch (cause) {
    throw new CannotStart(wording(cause), { cause });
  }
}
