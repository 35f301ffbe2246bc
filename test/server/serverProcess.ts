import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import type { DriftReport } from '../../src/core/drift.js';
import type { EchoResult } from '../../src/core/echo.js';
import type { Entry } from '../../src/core/entries.js';
import type { RecallResult } from '../../src/core/recall.js';
import type { RememberResult } from '../../src/core/remember.js';
import type { SearchResult } from '../../src/core/search.js';
import type { Stats } from '../../src/core/stats.js';
import { until } from './until.js';

/** What each tool answers. */
export interface Results {
  recall: RecallResult;
  remember: RememberResult;
  echo: EchoResult;
  search: SearchResult;
  get: Entry;
  forget: { readonly forgotten: boolean };
  drift_report: DriftReport;
  stats: Stats & { readonly project: string; readonly capture_enabled: boolean };
}

export interface CallResult {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
}

export interface Answer {
  readonly jsonrpc: string;
  readonly id?: string | number | null;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

interface Waiting {
  readonly matches: (answer: Answer) => boolean;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

const DEADLINE = 30_000;

/** A server spoken to in lines of JSON, so that a test can also say what no client library would. */
export class ServerProcess {
  readonly pid: number;
  /** Resolves when the process is gone and its output has been read to the end. */
  readonly exited: Promise<Exit>;
  /** Lines on stdout that were not JSON-RPC; there must never be any. */
  readonly strayOutput: string[] = [];
  /** The server's answers that no one has waited for yet. */
  readonly unclaimed: Answer[] = [];
  stderr = '';

  readonly child: ChildProcessWithoutNullStreams;
  private readonly waiting = new Set<Waiting>();
  private unfinished: Buffer[] = [];
  private lastId = 0;
  private gone = false;

  constructor(
    command: readonly string[],
    options: { cwd: string; env: Record<string, string>; uid?: number; gid?: number },
  ) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { ...options, stdio: 'pipe' });
    this.pid = this.child.pid ?? -1;
    this.child.stdout.on('data', (chunk: Buffer) => this.read(chunk));
    this.child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    // Writing to a server that has ended is what some tests are about; `exited` tells the rest.
    this.child.stdin.on('error', () => undefined);
    this.exited = once(this.child, 'close').then(([code, signal]) => {
      this.gone = true;
      // Only a process that was not allowed to finish may leave half a line.
      const half = Buffer.concat(this.unfinished).toString();
      if (half !== '' && signal !== 'SIGKILL') this.strayOutput.push(half);
      for (const entry of this.waiting) entry.reject(new Error(`the server ended: ${this.stderr}`));
      // Types of the 'close' event of a child process.
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  async initialize(): Promise<Answer> {
    const clientInfo = { name: 'subconscious-test', version: '1.0.0' };
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
    const answer = await this.request('initialize', params);
    assert.ok(answer.result, JSON.stringify(answer));
    this.notify('notifications/initialized');
    return answer;
  }

  /** Calls a tool that is expected to answer. */
  async call<Name extends keyof Results>(name: Name, args: object = {}): Promise<Results[Name]> {
    const result = await this.callTool(name, args);
    assert.notEqual(result.isError, true, `${name}: ${result.content[0]?.text ?? ''}`);
    // Checked against the output schemas where the SDK's client is used.
    return result.structuredContent as Results[Name];
  }

  /** Loads the model, however long this machine takes; resolves when it is there or known to be absent. */
  async modelSettled(): Promise<void> {
    const settled = ['ready', 'unavailable'];
    const isSettled = async () => {
      await this.call('search', { query: 'warm up' });
      return settled.includes((await this.call('stats')).model.state);
    };
    await until('the model is loaded', isSettled, 60);
  }

  /** Calls a tool that is expected to refuse, and returns its sentence. */
  async refusal(name: keyof Results, args: object = {}): Promise<string> {
    const result = await this.callTool(name, args);
    assert.equal(result.isError, true, `${name} answered ${JSON.stringify(result).slice(0, 500)}`);
    return result.content[0]?.text ?? '';
  }

  async callTool(name: string, args: object): Promise<CallResult> {
    const answer = await this.request('tools/call', { name, arguments: args });
    assert.ok(answer.result, JSON.stringify(answer).slice(0, 500));
    return answer.result as CallResult; // The protocol's type of this method's result.
  }

  request(method: string, params?: object): Promise<Answer> {
    const id = (this.lastId += 1);
    const answer = this.answerTo(id);
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  notify(method: string, params?: object): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  /** Writes to the server's stdin exactly this. */
  write(text: string | Buffer): void {
    this.child.stdin.write(text);
  }

  /** The next answer with this id, whether it has come already or not. */
  answerTo(id: string | number | null): Promise<Answer> {
    return this.next((answer) => answer.id === id, `an answer to request ${String(id)}`);
  }

  /** Closes stdin, as a client that leaves does. */
  async end(): Promise<Exit> {
    this.child.stdin.end();
    return this.exited;
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Exit> {
    if (!this.gone) this.child.kill(signal);
    return this.exited;
  }

  private next(matches: Waiting['matches'], what: string): Promise<Answer> {
    const at = this.unclaimed.findIndex(matches);
    const [already] = at < 0 ? [] : this.unclaimed.splice(at, 1);
    if (already) return Promise.resolve(already);
    if (this.gone) return Promise.reject(new Error(`the server has ended: ${this.stderr}`));
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        this.waiting.delete(entry);
      };
      const entry: Waiting = {
        matches,
        resolve(answer) {
          settle();
          resolve(answer);
        },
        reject(error) {
          settle();
          reject(error);
        },
      };
      const timer = setTimeout(() => entry.reject(new Error(`waited in vain for ${what}`)), DEADLINE);
      this.waiting.add(entry);
    });
  }

  private read(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...this.unfinished, chunk.subarray(start, end)]).toString();
      this.unfinished = [];
      start = end + 1;
      this.take(line);
    }
    if (start < chunk.length) this.unfinished.push(chunk.subarray(start));
  }

  private take(line: string): void {
    const answer = parseAnswer(line);
    if (!answer) {
      this.strayOutput.push(line);
      return;
    }
    const waiting = [...this.waiting].find(({ matches }) => matches(answer));
    if (waiting) waiting.resolve(answer);
    else this.unclaimed.push(answer);
  }
}

function parseAnswer(line: string): Answer | null {
  try {
    const value: unknown = JSON.parse(line);
    const valid =
      typeof value === 'object' && value !== null && 'jsonrpc' in value && value.jsonrpc === '2.0';
    return valid ? (value as Answer) : null; // Its fields are what the tests check.
  } catch {
    return null;
  }
}
