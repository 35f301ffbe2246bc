/** A field more, or one that is left out where it is undefined. */
type Fields = Readonly<Record<string, unknown>>;

/** The session of a transcript that is written for none in particular. */
export const SESSION = '0c7d1a52-8f0e-4f2b-9a3e-5b1f7c2d9e10';

/**
 * Writes the lines of a transcript as Claude Code 2.1 does: each is linked to the one before, the user's lines of a
 * turn share an id, and an assistant message has a line for each of its blocks.
 */
export class Transcript {
  readonly lines: string[] = [];
  /** Of the line written last. */
  uuid: string | null = null;
  /** Of the prompt written last. */
  promptId: string | null = null;
  private ids = 0;

  /** Null where lines are to name no session. */
  constructor(private readonly sessionId: string | null = SESSION) {}

  /** A prompt begins a turn; `text` is a string or a list of blocks. */
  prompt(text: unknown, fields: Fields = {}): this {
    this.promptId = this.newId('9');
    return this.userLine(text, { permissionMode: 'default', promptSource: 'sdk', ...fields });
  }

  /** A line of the user's within a turn, such as a wrapper. */
  userLine(content: unknown, fields: Fields = {}): this {
    const said = { promptId: this.promptId, type: 'user', message: { role: 'user', content } };
    return this.linked({ ...said, ...fields });
  }

  toolResult(content: unknown = 'done', fields: Fields = {}): this {
    const block = { tool_use_id: 'toolu_1', type: 'tool_result', content, is_error: false };
    return this.userLine([block], { toolUseResult: { stdout: content, stderr: '' }, ...fields });
  }

  interruption(what = ''): this {
    return this.userLine([{ type: 'text', text: `[Request interrupted by user${what}]` }]);
  }

  /** One message that ends the turn. */
  answer(text: string, fields: Fields = {}): this {
    return this.message([{ type: 'text', text }], 'end_turn', fields);
  }

  /** One message, with a line for each block. `fields` of the message are put last. */
  message(blocks: readonly Fields[], reason: string | null = 'tool_use', fields: Fields = {}): this {
    const id = this.newId('msg_');
    for (const block of blocks) {
      const message = { id, type: 'message', role: 'assistant', model: 'claude-x', content: [block] };
      this.linked({
        message: { ...message, stop_reason: reason, usage: { input_tokens: 10 }, ...fields },
        requestId: 'req_1',
        type: 'assistant',
      });
    }
    return this;
  }

  attachment(attachment: Fields, fields: Fields = {}): this {
    const rendered = [{ content: 'as the model saw it' }];
    return this.linked({ attachment, type: 'attachment', rendered, renderedRole: 'system', ...fields });
  }

  queued(prompt: unknown, fields: Fields = {}): this {
    return this.attachment({ type: 'queued_command', prompt, commandMode: 'prompt', ...fields });
  }

  system(subtype: string, fields: Fields = {}): this {
    return this.linked({ type: 'system', subtype, level: 'info', ...fields });
  }

  /** What stands between a first question and its answer: 29 kB, 110 kB, and 76 kB that is not linked. */
  filling(): this {
    return this.attachment({ type: 'prompt_snapshot', systemPrompt: [words(29_000)] })
      .attachment({ type: 'prompt_snapshot', systemPrompt: [words(110_000)] })
      .loose({ type: 'api-request-shape', shape: { system: [{ type: 'text', text: words(76_000) }] } })
      .loose({
        type: 'api-request-blob',
        message: { role: 'user', content: [{ type: 'text', text: 'blob' }] },
      });
  }

  /** What is written when a turn has ended. */
  ending(): this {
    return this.system('stop_hook_summary', { hookCount: 1, hookErrors: [] }).loose({
      type: 'last-prompt',
      lastPrompt: 'as typed',
      leafUuid: this.uuid,
    });
  }

  /** The next line follows the one of this id, as after the user went back to it. */
  backTo(uuid: string | null): this {
    this.uuid = uuid;
    return this;
  }

  /** A line with an id, linked to the one before. */
  linked(fields: Fields): this {
    const parentUuid = this.uuid;
    this.uuid = this.newId('5');
    const own = { uuid: this.uuid, timestamp: '2026-11-30T11:05:44.012Z' };
    // In the order the client writes them: its own id comes after what may be long.
    return this.loose({ parentUuid, isSidechain: false, ...fields, ...own, ...fields });
  }

  /** A line that is not linked. */
  loose(fields: Fields): this {
    return this.raw(
      JSON.stringify({ ...fields, sessionId: this.sessionId, cwd: '/home/ann/app', version: '2.1.332' }),
    );
  }

  raw(line: string): this {
    this.lines.push(line);
    return this;
  }

  get text(): string {
    return this.lines.map((line) => `${line}\n`).join('');
  }

  private newId(prefix: string): string {
    this.ids += 1;
    return `${prefix}0000000-0000-4000-8000-${String(this.ids).padStart(12, '0')}`;
  }
}

export function words(length: number): string {
  return 'nothing to see here '.repeat(Math.ceil(length / 20)).slice(0, length);
}

/** The lines as they are read: newest first. */
export function newestFirst(transcript: Transcript): Buffer[] {
  return transcript.lines.map((line) => Buffer.from(line)).reverse();
}
