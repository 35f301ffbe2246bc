import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inboxOf, readSpoolDocument, spoolFiles } from '../../src/capture/spool.js';
import type { CapturedSession, Turn } from '../../src/core/episode.js';
import { Transcript } from '../capture/transcriptBuilder.js';

export const HOOK = fileURLToPath(new URL('../../dist/hook.js', import.meta.url));
export const SERVER = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

export interface HookRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HookOptions {
  /** Words of the command line. Default: `--event` and the event. */
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly program?: string;
  /** Words in front of the command, e.g. a shell that sets a limit and executes it. */
  readonly prefix?: readonly string[];
}

/** A home, a store and a project folder of their own, and the hooks that are run over them. */
export class HookRig {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'subconscious-hook-')));
  readonly home = this.folder('home');
  readonly project = this.folder('project');
  readonly storage = join(this.home, '.subconscious-mcp', 'data');
  readonly inbox = inboxOf(this.storage);
  private readonly children = new Set<ChildProcess>();

  constructor(owner: { after(cleanUp: () => void): void }) {
    owner.after(() => {
      for (const child of this.children) child.kill('SIGKILL');
      rmSync(this.root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    });
  }

  /** Makes a folder below the root. */
  folder(...path: readonly string[]): string {
    const folder = join(this.root, ...path);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /** Writes a file below the root, its folder too. */
  file(path: string, content: string): string {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
    return file;
  }

  configure(content: object | string): void {
    const text = typeof content === 'string' ? content : JSON.stringify(content);
    this.file(join('home', '.subconscious-mcp', 'config.json'), text);
  }

  /** A transcript of one turn, whose lines name no session; its prompt's id is the same for the same name. */
  transcript(name: string, task: string, outcome: string): { path: string; promptId: string } {
    const promptId = `prompt-${name}`;
    const written = new Transcript(null).prompt(task, { promptId }).answer(outcome);
    const path = this.file(join('transcripts', `${name}.jsonl`), `${written.lines.join('\n')}\n`);
    return { path, promptId };
  }

  /** What Claude Code says when a turn has ended; fields that are undefined are left out. */
  stopPayload(session: string, transcript: { path: string; promptId: string }, more: object = {}): object {
    return {
      session_id: session,
      transcript_path: transcript.path,
      cwd: this.project,
      prompt_id: transcript.promptId,
      permission_mode: 'default',
      hook_event_name: 'Stop',
      stop_hook_active: false,
      ...more,
    };
  }

  /** Starts a hook with this on its stdin: text as it is, an object as JSON, null for a stdin that stays open. */
  start(event: string, input: object | string | null, options: HookOptions = {}): ChildProcess {
    const { words = ['--event', event], env = {}, cwd = this.project, program = HOOK, prefix = [] } = options;
    const [command = '', ...args] = [...prefix, process.execPath, program, ...words];
    const child = spawn(command, args, { cwd, env: this.environment(env) });
    this.children.add(child);
    child.once('close', () => this.children.delete(child));
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined);
    if (input !== null) child.stdin.end(typeof input === 'string' ? input : JSON.stringify(input));
    return child;
  }

  async run(event: string, input: object | string | null, options: HookOptions = {}): Promise<HookRun> {
    return await ended(this.start(event, input, options));
  }

  /** What the inbox holds; fails on a file that is no document. */
  sessions(): CapturedSession[] {
    return spoolFiles(this.inbox).map((name) => {
      const found = readSpoolDocument(join(this.inbox, name));
      if ('damaged' in found) throw new Error(`${name}: ${found.damaged}`);
      return found.session;
    });
  }

  turns(): Turn[] {
    return this.sessions().flatMap(({ turns }) => turns);
  }

  /** Lines of the hook log. */
  failures(): string[] {
    try {
      return readFileSync(join(this.storage, 'logs', 'hook.log'), 'utf8')
        .split('\n')
        .filter(Boolean);
    } catch {
      return [];
    }
  }

  /** Everything below the store, as paths with forward slashes; none where it was not made. */
  stored(): string[] {
    try {
      const names = readdirSync(this.storage, { recursive: true, encoding: 'utf8' });
      return names.map((name) => name.replaceAll('\\', '/')).sort();
    } catch {
      return [];
    }
  }

  /** What a hook gets to see: nothing of the settings of whoever runs the tests. */
  private environment(extra: Readonly<Record<string, string | undefined>>): NodeJS.ProcessEnv {
    const { PATH, SystemRoot, TEMP, TMP } = process.env;
    return { PATH, SystemRoot, TEMP, TMP, HOME: this.home, USERPROFILE: this.home, ...extra };
  }
}

/** Waits for the process to end and its output to be complete. */
export async function ended(child: ChildProcess): Promise<HookRun> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, stdout, stderr };
}

/** How a hook that has nothing to say ends. */
export const QUIET: HookRun = { code: 0, signal: null, stdout: '', stderr: '' };
