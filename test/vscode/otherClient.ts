import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Transcript } from '../capture/transcriptBuilder.js';
import { PROJECT } from './harness/places.js';
import { processesWith, WORKBENCH_VARIABLE } from './harness/processes.js';
import type { Workbench } from './harness/workbench.js';

/** Whoever else uses the same memory: a client with a server of its own, in the same folder. */
export class OtherClient {
  private constructor(private readonly client: Client) {}

  static async start(
    workbench: Workbench,
    directory = workbench.folder ?? workbench.home,
  ): Promise<OtherClient> {
    const client = new Client({ name: 'other-client', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [join(PROJECT, 'dist', 'server.js')],
        cwd: directory,
        env: { ...workbench.env, CLAUDE_PROJECT_DIR: directory, SUBCONSCIOUS_TOOLSETS: 'core,admin' },
        stderr: 'ignore',
      }),
    );
    return new OtherClient(client);
  }

  /** The structured result of a tool; rejects with the tool's words. */
  async call(name: string, args: object = {}): Promise<Record<string, unknown>> {
    const { isError, content, structuredContent } = await this.client.callTool({
      name,
      arguments: { ...args },
    });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as Record<string, unknown>;
  }

  async remember(task: string, answer: string, tags: readonly string[] = []): Promise<string> {
    return String((await this.call('remember', { task, answer, tags }))['entry_id']);
  }

  async close(): Promise<void> {
    await this.client.close();
  }
}

/** A session of Claude Code that ended a turn in the workbench's folder, as its hook reports it. */
export async function captureSession(
  workbench: Workbench,
  turns: readonly (readonly [string, string])[],
): Promise<void> {
  const session_id = randomUUID();
  const transcript = new Transcript();
  const transcript_path = join(mkdtempSync(join(tmpdir(), 'transcript-')), `${session_id}.jsonl`);
  const cwd = workbench.folder ?? workbench.home;
  for (const [question, answer] of turns) {
    transcript.prompt(question, { promptId: randomUUID() }).answer(answer).ending();
    writeFileSync(transcript_path, transcript.text);
    const hook = spawn(process.execPath, [join(PROJECT, 'dist', 'hook.js'), '--event', 'stop'], {
      cwd,
      env: { ...workbench.env, CLAUDE_PROJECT_DIR: cwd },
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    hook.stdin.end(
      JSON.stringify({
        session_id,
        transcript_path,
        cwd,
        permission_mode: 'default',
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: answer,
      }),
    );
    await once(hook, 'close');
  }
}

/** The host of this workbench's memory. */
export function hostOf(workbench: Workbench): number | undefined {
  const { [WORKBENCH_VARIABLE]: id = '' } = workbench.env;
  return processesWith(WORKBENCH_VARIABLE, id).find(({ command }) => /\bhost\.js/.test(command))?.pid;
}
