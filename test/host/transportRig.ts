// Both ends of a line transport, and what goes over it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { TestContext } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { LineTransport } from '../../src/host/lineTransport.js';
import { LineSplitter } from '../../src/link/lines.js';

export const KIB = 1024;
export const MIB = 1024 * KIB;

export function ping(id: number, size = 0): string {
  return `${JSON.stringify({ jsonrpc: '2.0', id, method: 'ping', params: { x: 'x'.repeat(size) } })}\n`;
}

export function pings(count: number, size: number): Buffer {
  return Buffer.from(
    upTo(count)
      .map((id) => ping(id, size))
      .join(''),
  );
}

export function idOf(message: JSONRPCMessage): number {
  assert.ok('id' in message && typeof message.id === 'number');
  return message.id;
}

/** Answers every request with this many bytes, and keeps the ids of what it was asked. */
export function answering(transport: LineTransport, size: number): number[] {
  const asked: number[] = [];
  transport.onmessage = (message) => {
    const id = idOf(message);
    asked.push(id);
    void transport.send({ jsonrpc: '2.0', id, result: { y: 'y'.repeat(size) } });
  };
  return asked;
}

/** The ids in the lines of `output`, until there are as many as `count`. */
export async function answeredIds(output: Readable, count: number): Promise<number[]> {
  const ids: number[] = [];
  const lines = new LineSplitter(MIB, (line) => {
    assert.ok('text' in line);
    ids.push(idOf(JSON.parse(line.text) as JSONRPCMessage)); // Answers, each with a number.
  });
  output.on('data', (chunk: Buffer) => lines.push(chunk)).resume();
  while (ids.length < count) await once(output, 'data');
  return ids;
}

export const upTo = (count: number) => Array.from({ length: count }, (_, id) => id);

export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
}

export function streams() {
  const [input, output] = [new PassThrough(), new PassThrough()];
  return { input, output, transport: new LineTransport(input, output) };
}

/** Both ends of a connection over a socket, closed when the test ends. */
export async function connection(t: TestContext): Promise<{ near: Socket; far: Socket }> {
  const folder = mkdtempSync(join(tmpdir(), 'transport-'));
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${folder.replaceAll('\\', '-')}` : join(folder, 's');
  const server = createServer().listen(address);
  await once(server, 'listening');
  const far = connect(address);
  const [near] = (await once(server, 'connection')) as [Socket];
  t.after(() => {
    far.destroy();
    near.destroy();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return { near, far };
}
