import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processes, treeOf } from '../front/processTree.js';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { hostsOf, onlyHost } from './hosts.js';

/** A client of its own session, as an editor is, that hands its streams to the server it starts. */
const EDITOR = `
  const { spawn } = require('node:child_process');
  const [program, ...args] = process.argv.slice(1);
  spawn(program, args, { stdio: 'inherit', detached: true });
  setInterval(() => undefined, 1000);`;

/** A process, all its descendants, and every member of their groups and sessions but this test's own. */
function everythingOf(pid: number): number[] {
  const all = processes();
  const tree = new Set(treeOf(pid, all));
  const own = all.find((one) => one.pid === process.pid);
  const members = all.filter((one) => tree.has(one.pid));
  const groups = new Set(members.map(({ group }) => group).filter((group) => group !== own?.group));
  const sessions = new Set(members.map(({ session }) => session).filter((id) => id !== own?.session));
  const doomed = all.filter((one) => tree.has(one.pid) || groups.has(one.group) || sessions.has(one.session));
  return doomed.map((one) => one.pid);
}

test('a client that ends with its whole process tree, group and session leaves the host it started to others', async (t) => {
  const box = new Sandbox(t, 'shared');
  const editor = await box.start({ env: WITHOUT_MODEL, prefix: [process.execPath, '-e', EDITOR] });
  await editor.call('remember', { task: 'stored by the client that started the host', answer: 'kept' });
  const host = await onlyHost(box);
  const other = await box.start({ env: WITHOUT_MODEL });
  await other.call('remember', { task: 'stored by the other', answer: 'kept too' });

  const doomed = everythingOf(editor.pid);
  assert.ok(doomed.length >= 2, 'the client and its server');
  assert.ok(!doomed.includes(host), 'the host does not belong to them');
  for (const pid of doomed) process.kill(pid, 'SIGKILL');
  await editor.exited;

  assert.equal(
    (await other.call('recall', { task: 'stored by the client that started the host' })).hit,
    true,
  );
  assert.equal((await other.call('stats')).total_entries, 2);
  const later = await box.start({ env: WITHOUT_MODEL });
  assert.equal((await later.call('recall', { task: 'stored by the other' })).answer, 'kept too');
  assert.deepEqual(hostsOf(box), [host]);
});

test('a client that is ended with its tree while its host comes up has started one for the next client', async (t) => {
  const box = new Sandbox(t, 'shared');
  const prefix = [process.execPath, '-e', EDITOR];
  const editor = await box.start({ env: WITHOUT_MODEL, prefix, initialize: false });
  await editor.request('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'ended at once', version: '1' },
  });
  for (const pid of everythingOf(editor.pid)) process.kill(pid, 'SIGKILL');
  await editor.exited;
  const host = await onlyHost(box);
  const next = await box.start({ env: WITHOUT_MODEL });
  assert.equal((await next.call('remember', { task: 'by the next', answer: 'x' })).stored, true);
  assert.deepEqual(hostsOf(box), [host]);
});
