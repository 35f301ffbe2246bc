import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transcript } from '../capture/transcriptBuilder.js';
import type { Sandbox } from '../server/sandbox.js';
import { HookProcess } from './hookProcess.js';

export interface SessionPlace {
  /** Folder the session works in. Default: the sandbox's project. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Default: one of its own. */
  readonly id?: string;
}

/** A session of Claude Code: it writes its transcript and starts the hooks as the client does. */
export class AgentSession {
  readonly id: string;
  /** Outside of the home folder: what stands in it is the client's. */
  readonly file: string;
  private readonly transcript = new Transcript();
  private readonly cwd: string;
  private readonly env;
  private lastAnswer = '';

  constructor(
    private readonly box: Sandbox,
    { cwd = box.project, env = {}, id = randomUUID() }: SessionPlace = {},
  ) {
    this.id = id;
    this.cwd = cwd;
    this.env = env;
    this.file = join(box.folder('transcripts'), `${randomUUID()}.jsonl`);
  }

  /** One turn more in its transcript. */
  turn(question: string, answer: string): this {
    this.transcript.prompt(question, { promptId: randomUUID() }).answer(answer).ending();
    this.lastAnswer = answer;
    writeFileSync(this.file, this.transcript.text);
    return this;
  }

  /** The hook that is told of the end of the last turn. */
  stopping(): HookProcess {
    const said = { stop_hook_active: false, last_assistant_message: this.lastAnswer };
    return this.hook('stop', 'Stop', said);
  }

  /** Resolves when the hook has done its work. */
  async stop(): Promise<void> {
    assert.equal(await this.stopping().ended, '');
  }

  /** A turn, and the hook that captures it. */
  async captures(question: string, answer: string): Promise<void> {
    await this.turn(question, answer).stop();
  }

  async end(): Promise<void> {
    assert.equal(await this.hook('session-end', 'SessionEnd', { reason: 'other' }).ended, '');
  }

  /** Resolves to what the session is told at its start. */
  async start(source = 'startup'): Promise<string> {
    const printed = await this.hook('session-start', 'SessionStart', { source }).ended;
    assert.ok(printed !== null);
    return printed;
  }

  /** Keeps a sample of a payload that holds this. */
  async sample(fields: object): Promise<void> {
    assert.equal(await this.hook('log-only', 'UserPromptSubmit', fields).ended, '');
  }

  private hook(event: ConstructorParameters<typeof HookProcess>[1], name: string, fields: object) {
    const { box, cwd, env } = this;
    const payload = {
      session_id: this.id,
      transcript_path: this.file,
      cwd,
      permission_mode: 'default',
      hook_event_name: name,
      ...fields,
    };
    return new HookProcess(box, event, payload, { cwd, env });
  }
}
