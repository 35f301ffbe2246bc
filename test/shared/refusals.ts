import assert from 'node:assert/strict';
import type { ServerProcess } from '../server/serverProcess.js';

/** Parameters of an `initialize` that may be refused. */
export const HANDSHAKE = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'subconscious-test', version: '1.0.0' },
};

/** What a front that has no host says to the first request of its client. */
export async function refusedHandshake(front: ServerProcess): Promise<string> {
  const { error } = await front.request('initialize', HANDSHAKE);
  assert.ok(error, 'initialize was answered');
  return error.message;
}
