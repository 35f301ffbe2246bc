import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import packageJson from '../../package.json' with { type: 'json' };
import { Sandbox, SERVER, WITHOUT_MODEL } from '../server/sandbox.js';
import { run } from './command.js';

const text = (file: string) => readFileSync(file, 'utf8');
const json = (file: string): unknown => JSON.parse(text(file));
const cursorFile = (box: Sandbox) => join(box.home, '.cursor', 'mcp.json');
const launcher = (box: Sandbox) => join(box.home, '.subconscious-mcp', 'bin', 'subconscious-mcp');
const does = (box: Sandbox, words: readonly string[], env: Record<string, string> = {}) =>
  run(box, words, { env: { ...WITHOUT_MODEL, ...env } });

function write(file: string, content: string): string {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

describe('connect', () => {
  it('shows the change, makes it, says how to undo it, and tries out what is written', (t) => {
    const box = new Sandbox(t);
    const file = write(cursorFile(box), '{\n  // mine\n  "mcpServers": {}\n}\n');
    const { status, stdout, stderr } = does(box, ['connect', 'cursor']);
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    const backup = readdirSync(dirname(file)).find((name) => /^mcp\.json\.bak\.\d{10}$/.test(name));
    const lines = [
      `--- ${file}`,
      `+++ ${file}`,
      '@@ -1,4 +1,11 @@',
      ' {',
      '   // mine',
      '-  "mcpServers": {}',
      '+  "mcpServers": {',
      '+    "subconscious": {',
      '+      "type": "stdio",',
      `+      "command": "${launcher(box)}",`,
      '+      "args": [],',
      '+      "env": {}',
      '+    }',
      '+  }',
      ' }',
      `Added the entry to ${file}.`,
      `The file as it was before is ${join(dirname(file), backup ?? '')}.`,
      'Cursor offers it under Settings, MCP; switch it on there if it is off.',
      'To undo it: subconscious-mcp disconnect cursor',
      'Connected: 8 tools, 0 memories.',
      '',
    ];
    assert.equal(stdout, lines.join('\n'));
    const again = does(box, ['connect', 'cursor']);
    assert.equal(
      again.stdout,
      `Cursor is already connected in ${file}. Nothing was changed.\nConnected: 8 tools, 0 memories.\n`,
    );
  });

  it('prints the change alone in a dry run, and writes nothing', (t) => {
    const box = new Sandbox(t);
    const words = ['connect', 'claude-code-project', '--guidance', 'claude-md', '--dry-run'];
    const { status, stdout, stderr } = does(box, words);
    assert.equal(status, 0);
    assert.match(
      stdout,
      /^--- \/dev\/null\n\+\+\+ .*\.mcp\.json\n@@ .*\n(\+.*\n)+--- \/dev\/null\n\+\+\+ .*CLAUDE\.md\n/,
    );
    assert.match(stderr, /was not found on this machine.*\nNothing was written\.\n$/);
    assert.deepEqual([readdirSync(box.home), readdirSync(box.project)], [[], []]);
  });

  it('adds the guidance and takes it away with the entry', (t) => {
    const box = new Sandbox(t);
    const claude = write(join(box.project, 'CLAUDE.md'), '# Mine\n');
    const { status, stdout } = does(box, ['connect', 'claude-code-project', '--guidance', 'claude-md']);
    assert.equal(status, 0);
    assert.ok(stdout.includes(`Wrote the guidance for agents into ${claude}.\n`), stdout);
    assert.match(text(claude), /^# Mine\n\n<!-- subconscious:begin -->/);
    assert.match(
      does(box, ['disconnect', 'claude-code-project']).stdout,
      /still told .*claude-code-project --guidance\n$/,
    );
    const removed = does(box, ['disconnect', 'claude-code-project', '--guidance']).stdout;
    assert.ok(removed.endsWith(`Removed the guidance from ${claude}.\n`), removed);
    assert.equal(text(claude), '# Mine\n');
    const refused = does(box, ['connect', 'cursor', '--guidance', 'skill']);
    assert.equal(refused.status, 1);
    assert.match(
      refused.stderr,
      /^Guidance is for Claude Code, and Cursor does not read it\. Nothing was changed\./,
    );
    assert.equal(existsSync(cursorFile(box)), false);
  });

  it('writes no entry where the guidance it shall add cannot be written', (t) => {
    const box = new Sandbox(t);
    const claude = write(join(box.project, 'CLAUDE.md'), '# Mine\n');
    chmodSync(claude, 0o444);
    const words = ['connect', 'claude-code-project', '--guidance', 'claude-md'];
    const { status, stdout, stderr } = does(box, words);
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(stderr, /CLAUDE\.md is read-only\. Nothing was changed\./);
    assert.deepEqual(readdirSync(box.project), ['CLAUDE.md']);
    assert.equal(existsSync(launcher(box)), false);
  });

  it('says that the entry is gone where the guidance cannot be removed with it', (t) => {
    const box = new Sandbox(t);
    does(box, ['connect', 'claude-code-project', '--guidance', 'claude-md']);
    chmodSync(join(box.project, 'CLAUDE.md'), 0o444);
    const { status, stdout, stderr } = does(box, ['disconnect', 'claude-code-project', '--guidance']);
    assert.equal(status, 1);
    assert.match(stdout, /^Removed .*\.mcp\.json, which connect had made\./);
    assert.match(
      stderr,
      /^Claude Code in this project is disconnected, but the guidance was not removed\. .*is read-only/,
    );
  });

  it('says where the file is that had other words between the marks of the guidance', (t) => {
    const box = new Sandbox(t);
    const claude = join(box.project, 'CLAUDE.md');
    const words = ['connect', 'claude-code-project', '--guidance', 'claude-md'];
    does(box, words);
    write(claude, text(claude).replace('## Memory', '## My memory'));
    const { stdout } = does(box, words);
    const backup = readdirSync(box.project).find((name) => name.startsWith('CLAUDE.md.bak.'));
    assert.ok(stdout.includes(`The file as it was before is ${join(box.project, backup ?? '?')}.\n`), stdout);
    assert.match(text(join(box.project, backup ?? '')), /## My memory/);
  });

  it('fails where what is written does not answer, leaves the entry, and passes its words on', (t) => {
    const box = new Sandbox(t);
    const config = box.configure('{');
    const { status, stdout, stderr } = does(box, ['connect', 'cursor']);
    assert.equal(status, 1);
    assert.match(stdout, /Added the entry/);
    assert.ok(stderr.includes(`The entry is written, but what it starts does not answer: `), stderr);
    assert.ok(stderr.includes(config) && stderr.includes('subconscious-mcp connect cursor\n'), stderr);
    assert.ok(existsSync(cursorFile(box)));
  });

  it('starts the server with the variables that stand in the entry', (t) => {
    const box = new Sandbox(t);
    does(box, ['connect', 'cursor']);
    const file = cursorFile(box);
    write(file, text(file).replace('"env": {}', '"env": { "SUBCONSCIOUS_TOOLSETS": "core,admin" }'));
    const { stdout } = does(box, ['connect', 'cursor']);
    assert.match(stdout, /already connected[^]*Connected: ([1-9]\d) tools/);
  });

  it('has the command of Claude Code change its file, where that is found', (t) => {
    const box = new Sandbox(t);
    const file = write(join(box.home, '.claude.json'), '{"numStartups": 1}');
    const bin = box.folder('bin');
    // A stand-in that adds as Claude Code does: it reads its file, and writes it anew.
    const program = `#!${process.execPath}
      const { readFileSync, writeFileSync } = require('node:fs');
      const [, , ...words] = process.argv;
      if (words.slice(0, 5).join(' ') !== 'mcp add-json -s user subconscious') process.exit(1);
      const file = process.env.HOME + '/.claude.json';
      const config = JSON.parse(readFileSync(file, 'utf8'));
      config.mcpServers = { [words[4]]: JSON.parse(words[5]) };
      writeFileSync(file, JSON.stringify(config));`;
    chmodSync(write(join(bin, 'claude'), program), 0o700);
    const { status, stdout } = does(box, ['connect', 'claude-code'], { PATH: bin });
    assert.equal(status, 0);
    assert.ok(stdout.includes(`Added the entry to ${file} with claude mcp add-json.\n`), stdout);
    assert.ok(text(file).startsWith('{"numStartups":1,'));
    // This one cannot remove.
    const { stderr } = does(box, ['disconnect', 'claude-code'], { PATH: bin });
    assert.match(stderr, /^claude mcp remove failed with exit code 1\. The file was edited instead\.\n$/);
    assert.equal(text(file).includes('subconscious'), false);
  });

  it('refuses a file that is no JSON, with the place, and leaves it', (t) => {
    const box = new Sandbox(t);
    const file = write(cursorFile(box), '{\n  "mcpServers": \n}\n');
    for (const words of [
      ['connect', 'cursor'],
      ['connect', 'cursor', '--dry-run'],
      ['disconnect', 'cursor'],
    ]) {
      const { status, stdout, stderr } = does(box, words);
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
      assert.ok(stderr.startsWith(`${file} is not valid JSON (value expected): line 3, column 1.`), stderr);
    }
    assert.deepEqual(readdirSync(dirname(file)), ['mcp.json']);
    assert.equal(existsSync(launcher(box)), false);
  });

  it('prints what to copy into any other client, and writes the launcher for it', (t) => {
    const box = new Sandbox(t);
    const { status, stdout } = does(box, ['connect', '--print']);
    assert.equal(status, 0);
    assert.deepEqual(JSON.parse(stdout), {
      mcpServers: { subconscious: { command: launcher(box), args: [] } },
    });
    assert.ok(existsSync(launcher(box)));
    assert.match(does(box, ['connect']).stderr, /^Name a client: claude-code, .* connect --print\n$/);
  });

  it('adds one entry when it is done by two processes at once', async (t) => {
    const box = new Sandbox(t);
    const file = write(cursorFile(box), '{}\n');
    const all = [1, 2].map(() => start(t, box));
    await Promise.all(all.map((child) => once(child, 'exit')));
    assert.deepEqual(
      all.map((child) => child.exitCode),
      [0, 0],
    );
    assert.equal(text(file).match(/"subconscious"/g)?.length, 1);
    assert.equal(readdirSync(dirname(file)).length, 2);
  });

  it('that is killed while it writes leaves the old file or the new one, and the next one goes on', async (t) => {
    const box = new Sandbox(t);
    const before = JSON.stringify(
      { filler: Array.from({ length: 50_000 }, (_, at) => `line ${at}`) },
      null,
      1,
    );
    const file = write(cursorFile(box), before);
    const child = start(t, box);
    const exited = once(child, 'exit');
    const watcher = watch(dirname(file), (_, name) => {
      if (name?.endsWith('.tmp') === true) child.kill('SIGKILL');
    });
    t.after(() => watcher.close());
    await exited;
    assert.equal(child.signalCode, 'SIGKILL');
    const left = text(file);
    assert.ok(left === before || 'mcpServers' in (JSON.parse(left) as object));
    assert.equal(does(box, ['connect', 'cursor']).status, 0);
    assert.ok('mcpServers' in (json(file) as object));
  });
});

function start(t: TestContext, box: Sandbox) {
  const env = box.environment(WITHOUT_MODEL);
  const child = spawn(process.execPath, [SERVER, 'connect', 'cursor'], { env, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

describe('the launcher that is written', () => {
  it('gives a client its server with an empty PATH, by a runtime that is an editor, from a Japanese home', async (t) => {
    const box = new Sandbox(t);
    const home = box.folder('ホーム 家');
    const env = { HOME: home, USERPROFILE: home };
    // A stand-in for an editor: a Node only when told so.
    const editor = join(box.folder('My Editor'), 'editor');
    write(editor, `#!/bin/sh\n[ "$ELECTRON_RUN_AS_NODE" = 1 ] || exit 9\nexec '${process.execPath}' "$@"\n`);
    chmodSync(editor, 0o700);
    assert.equal(does(box, ['connect', 'cursor'], env).status, 0);
    const script = join(home, '.subconscious-mcp', 'bin', 'subconscious-mcp');
    writeFileSync(script, text(script).replace(/^node=.*$/m, `node='${editor}'`));
    const { command } = (json(join(home, '.cursor', 'mcp.json')) as Entries).mcpServers.subconscious;
    const client = new Client({ name: 'subconscious-test', version: '1.0.0' });
    const environment = { ...box.environment({ ...WITHOUT_MODEL, ...env }), PATH: '' };
    const transport = new StdioClientTransport({
      command,
      cwd: box.project,
      env: environment,
      stderr: 'pipe',
    });
    try {
      await client.connect(transport);
      assert.equal((await client.listTools()).tools.length, 8);
      assert.equal(client.getServerVersion()?.version, packageJson.version);
    } finally {
      // The sandbox waits for it.
      await client.close();
    }
  });
});

interface Entries {
  readonly mcpServers: { readonly subconscious: { readonly command: string } };
}

describe('disconnect', () => {
  it('restores the file, removes the launcher, and says so', (t) => {
    const box = new Sandbox(t);
    const file = write(cursorFile(box), '{ }\n');
    does(box, ['connect', 'cursor']);
    const written = text(file);
    const dry = does(box, ['disconnect', 'cursor', '--dry-run']);
    assert.match(dry.stdout, /^--- .*mcp\.json\n\+\+\+ .*mcp\.json\n@@ /);
    assert.deepEqual([dry.stderr, text(file)], ['Nothing was written.\n', written]);
    const { status, stdout } = does(box, ['disconnect', 'cursor']);
    assert.equal(status, 0);
    assert.equal(
      stdout,
      `Removed the entry. ${file} is byte for byte what it was before connect.\n` +
        'To connect it again: subconscious-mcp connect cursor\n',
    );
    assert.equal(text(file), '{ }\n');
    assert.equal(existsSync(dirname(launcher(box))), false);
    assert.equal(
      does(box, ['disconnect', 'cursor']).stdout,
      `Cursor is not connected in ${file}. Nothing to remove.\n`,
    );
  });
});

describe('clients', () => {
  it('lists them for people and for programs', (t) => {
    const box = new Sandbox(t);
    does(box, ['connect', 'cursor']);
    const { status, stdout } = does(box, ['clients']);
    assert.equal(status, 0);
    assert.match(stdout, /^claude-code {10}not found {2}not connected {2}\/.*\.claude\.json$/m);
    assert.match(stdout, /^cursor {15}installed {2}connected {6}\/.*mcp\.json$/m);
    const { clients, configuration } = JSON.parse(does(box, ['clients', '--json']).stdout) as {
      readonly clients: { readonly id: string }[];
      readonly configuration: unknown;
    };
    assert.deepEqual(
      clients.find(({ id }) => id === 'cursor'),
      {
        id: 'cursor',
        name: 'Cursor',
        file: cursorFile(box),
        installed: true,
        connection: 'connected',
        problem: null,
        version: packageJson.version,
      },
    );
    assert.deepEqual(configuration, { mcpServers: { subconscious: { command: launcher(box), args: [] } } });
  });
});
