import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Sandbox, WITHOUT_MODEL } from '../server/sandbox.js';
import type { ServerProcess } from '../server/serverProcess.js';
import { until } from '../server/until.js';
import { hostsOf, killHost, onlyHost, recordIn } from './hosts.js';

const [STORED, ASKED] = ['Deploy the documentation site', 'Publish the docs pages'];

/** Writes a configuration file beside the usual one. */
function configFile(box: Sandbox, name: string, content: object): readonly string[] {
  const file = join(box.root, name);
  writeFileSync(file, JSON.stringify(content));
  return ['--config', file];
}

/** Kills the host, and lets this client start the next one. */
async function restartThrough(box: Sandbox, client: ServerProcess): Promise<void> {
  const { pid } = recordIn(box.storage);
  await killHost(box, pid);
  await client.modelSettled();
  assert.notEqual(recordIn(box.storage).pid, pid);
}

/** Whether a text is in any file below the folder. */
function isWritten(folder: string, text: string): boolean {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .some((file) => statSync(file).isFile() && readFileSync(file).includes(text));
}

/** Ends the host in good order: what it keeps in memory until then is in its files. */
async function endHost(box: Sandbox): Promise<void> {
  process.kill(recordIn(box.storage).pid, 'SIGTERM');
  await until('the host is gone', () => hostsOf(box).length === 0);
}

describe('each client of one host has its own', { concurrency: true }, () => {
  test('threshold, lifetime, name of the project and switch for capture, whoever started the host', async (t) => {
    const box = new Sandbox(t, 'shared');
    const usual = await box.start({
      args: configFile(box, 'usual.json', { default_ttl_seconds: 3600, capture_enabled: false }),
      env: { SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.99', SUBCONSCIOUS_NAMESPACE: 'of-the-one' },
    });
    await usual.modelSettled();
    const other = await box.start({
      args: configFile(box, 'other.json', {
        default_threshold: 0.3,
        default_ttl_seconds: 60,
        namespace: 'of-the-other',
      }),
    });
    for (const restart of [false, true]) {
      if (restart) await restartThrough(box, other);
      const seen = [];
      for (const client of [usual, other]) {
        const { entry_id, refreshed } = await client.call('remember', { task: STORED, answer: 'x' });
        assert.equal(refreshed, restart || undefined);
        const { expires_at, stored_at } = await client.call('get', { entry_id });
        const { hit } = await client.call('recall', { task: ASKED });
        const { project, capture_enabled, total_entries } = await client.call('stats');
        const lifetime = Math.round(Number(expires_at) - stored_at);
        seen.push({ hit, lifetime, project, capture_enabled, total_entries });
      }
      const one = {
        hit: false,
        lifetime: 3600,
        project: 'of-the-one',
        capture_enabled: false,
        total_entries: 1,
      };
      const two = {
        hit: true,
        lifetime: 60,
        project: 'of-the-other',
        capture_enabled: true,
        total_entries: 1,
      };
      assert.deepEqual(seen, [one, two]);
    }
  });

  test('recall log: what is asked by a client that switched it off is kept nowhere', async (t) => {
    const box = new Sandbox(t, 'shared');
    const open = await box.start({ env: WITHOUT_MODEL });
    const secretive = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_ECHO_LOG_ENABLED: 'off' } });
    for (const killed of [false, true]) {
      if (killed) await restartThrough(box, secretive);
      for (const [client, word] of [
        [open, 'loudword'],
        [secretive, 'hushword'],
      ] as const) {
        await client.call('recall', { task: `Where is the ${word} kept` });
        await client.call('echo', { task: `Where is the ${word} of the echo` });
        await client.call('search', { query: `${word} searched for` });
      }
    }
    for (const client of [open, secretive]) {
      assert.equal((await client.call('drift_report')).analyzed_recalls, 2);
    }
    await endHost(box);
    assert.equal(isWritten(box.home, 'Where is the loudword kept'), true);
    assert.equal(isWritten(box.home, 'hushword'), false);
  });

  test('warnings; and one that asks for another model than the host has is told so', async (t) => {
    const box = new Sandbox(t, 'shared');
    const first = await box.start({ env: { SUBCONSCIOUS_EMBEDDING_MODEL: 'model-of-the-first' } });
    const second = await box.start({
      args: configFile(box, 'second.json', { default_treshold: 0.5 }),
      env: { SUBCONSCIOUS_EMBEDDING_MODEL: 'model-of-the-second' },
    });
    const notes = async (client: ServerProcess) => {
      const { health } = await client.call('stats');
      return health.filter(({ code }) => code === 'config').map(({ message }) => message);
    };
    const shares = (own: string, used: string) =>
      new RegExp(`configured for the embedding model ${own}.*that is ${used}\\b`);
    const misspelt = /default_treshold.*default_threshold/;

    assert.deepEqual(await notes(first), []);
    assert.match((await first.call('stats')).model.name, /^model-of-the-first\b/);
    const [warning = '', otherModel = '', ...more] = await notes(second);
    assert.match(warning, misspelt);
    assert.match(otherModel, shares('model-of-the-second', 'model-of-the-first'));
    assert.deepEqual(more, []);

    await restartThrough(box, second);
    const [told = '', ...rest] = await notes(first);
    assert.match(told, shares('model-of-the-first', 'model-of-the-second'));
    assert.deepEqual(rest, []);
    assert.deepEqual((await notes(second)).length, 1);
  });
});

describe('of the client that starts the host', { concurrency: true }, () => {
  for (const [starter, other, seen] of [
    ['DEBUG', 'CRITICAL', true],
    ['CRITICAL', 'DEBUG', false],
  ] as const) {
    test(`is the level of the log: ${starter}, whatever those after it say`, async (t) => {
      const box = new Sandbox(t, 'shared');
      for (const SUBCONSCIOUS_LOG_LEVEL of [starter, other]) {
        const client = await box.start({ env: { ...WITHOUT_MODEL, SUBCONSCIOUS_LOG_LEVEL } });
        await client.call('stats');
      }
      const file = join(box.home, '.subconscious-mcp', 'logs', 'server.log');
      const lines = existsSync(file) ? readFileSync(file, 'utf8') : '';
      assert.equal(/ DEBUG .*stats answered/.test(lines), seen, lines);
    });
  }
});

describe('a relative path', { concurrency: true }, () => {
  test('of the configuration or the storage directory starts in the working directory of the client', async (t) => {
    const box = new Sandbox(t, 'shared');
    const folders = [box.folder('one'), box.folder('two')];
    const clients = await Promise.all(
      folders.map((cwd, at) => {
        writeFileSync(join(cwd, 'own.json'), JSON.stringify({ namespace: `number-${at}` }));
        const env = { ...WITHOUT_MODEL, SUBCONSCIOUS_STORAGE_DIR: 'memory' };
        return box.start({ cwd, env, args: ['--config', './own.json'] });
      }),
    );
    const check = async () => {
      for (const [at, client] of clients.entries()) {
        await client.call('remember', { task: `in folder ${at}`, answer: 'x' });
        const { project, total_entries } = await client.call('stats');
        assert.deepEqual({ project, total_entries }, { project: `number-${at}`, total_entries: 1 });
      }
    };
    await check();
    for (const folder of folders) await killHost(box, recordIn(join(folder, 'memory')).pid);
    await check();
    const hosts = folders.map((folder) => recordIn(join(folder, 'memory')).pid);
    assert.deepEqual(hostsOf(box).sort(), hosts.sort());
    assert.equal(existsSync(box.storage), false);
  });

  test('of the storage directory in a configuration file starts in the folder of the file', async (t) => {
    const box = new Sandbox(t, 'shared');
    const args = configFile(box, 'shared.json', { storage_dir: 'memory' });
    const clients = await Promise.all(
      ['one', 'two'].map((name) => box.start({ cwd: box.folder(name), env: WITHOUT_MODEL, args })),
    );
    assert.equal(await onlyHost(box), recordIn(join(box.root, 'memory')).pid);
    const [one, two] = clients;
    await one?.call('remember', { task: 'for all', answer: 'x', scope: 'global' });
    assert.equal((await two?.call('recall', { task: 'for all' }))?.hit, true);
  });
});
