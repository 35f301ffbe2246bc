// The test's hand in the extension host: connects to the test, runs the scripts it is sent and answers with
// what they return. It needs no focus, so it works while a dialog is open.
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { runInThisContext } from 'node:vm';
import * as vscode from 'vscode';
import { BRIDGE_VARIABLE, type Answer, type Hello, type Script } from './messages.js';

type Body = (api: typeof vscode, argument: unknown) => unknown;

export function activate(context: vscode.ExtensionContext): void {
  const address = process.env[BRIDGE_VARIABLE];
  if (address === undefined) return;
  const socket = connect(address);
  // The test has ended, and this process is about to.
  socket.on('error', () => socket.destroy());
  // tsx wraps inner functions in a call of it.
  Object.assign(globalThis, { __name: (body: unknown) => body });
  const send = (message: Hello | Answer) => socket.write(`${JSON.stringify(message)}\n`);
  send({ pid: process.pid });
  createInterface({ input: socket }).on('line', (line) => {
    const script = JSON.parse(line) as Script;
    void run(script).then(send, (error: unknown) => send({ id: script.id, fault: describe(error) }));
  });
  context.subscriptions.push({ dispose: () => socket.destroy() });
}

async function run({ id, source, argument }: Script): Promise<Answer> {
  return { id, value: await (runInThisContext(`(${source})`) as Body)(vscode, argument) };
}

const describe = (error: unknown) => (error instanceof Error ? error.message : String(error));
