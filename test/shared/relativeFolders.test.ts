import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import { until } from '../server/until.js';
import { hostsOf, recordIn } from './hosts.js';

const FOLDERS = ['one', 'other'];
const rowOf = (folder: string) => ({ task: `known in ${folder}`, answer: folder });

describe('a project folder that is given relative to that of the client', { concurrency: true }, () => {
  for (const given of ['.', './sub']) {
    test(`is each client's own: ${given}`, async (t) => {
      const box = new Sandbox(t, 'shared');
      const env = { ...WITHOUT_MODEL, CLAUDE_PROJECT_DIR: given };
      const clients = await Promise.all(
        FOLDERS.map(async (folder) => {
          box.folder(folder, 'sub');
          return { folder, front: await box.start({ env, cwd: box.folder(folder) }) };
        }),
      );
      for (const { folder, front } of clients) await front.call('remember', rowOf(folder));
      const names = new Map<string, string>();
      for (const { folder, front } of clients) {
        const { project, total_entries } = await front.call('stats');
        assert.equal(total_entries, 1);
        names.set(folder, project);
        for (const other of FOLDERS) {
          assert.equal((await front.call('recall', { task: rowOf(other).task })).hit, other === folder);
        }
        await front.end();
      }
      process.kill(recordIn(box.storage).pid, 'SIGTERM');
      await until('the host is gone', () => hostsOf(box).length === 0);

      for (const folder of FOLDERS) {
        const cwd = box.folder(folder);
        const alone = await box.start({ env: { ...env, SUBCONSCIOUS_STANDALONE: '1' }, cwd });
        assert.equal((await alone.call('recall', { task: rowOf(folder).task })).answer, folder);
        assert.equal((await alone.call('stats')).project, names.get(folder));
        await alone.end();
      }
    });
  }
});
