import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import packageJson from '../../package.json' with { type: 'json' };
import { Sandbox, SERVER } from './sandbox.js';

/** Runs the program to its end with nothing on stdin. */
function run(box: Sandbox, args: readonly string[], env: Record<string, string> = {}) {
  const options = {
    cwd: box.project,
    env: box.environment(env),
    encoding: 'utf8',
    input: '',
    timeout: 20_000,
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [SERVER, ...args], options);
  assert.equal(existsSync(box.storage), false, 'no store was made');
  return { status, stdout, stderr };
}

test('--version prints the version', (t) => {
  const { status, stdout, stderr } = run(new Sandbox(t), ['--version']);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, new RegExp(`\\b${packageJson.version.replaceAll('.', '\\.')}\\n$`));
});

test('the program can be run by its name, as npx does', (t) => {
  const box = new Sandbox(t);
  // Windows runs it through the wrapper that npm writes beside it.
  const [program, args] =
    process.platform === 'win32' ? [process.execPath, [SERVER, '--version']] : [SERVER, ['--version']];
  const { status, stdout } = spawnSync(program, args, { env: box.environment(), encoding: 'utf8' });
  assert.deepEqual([status, stdout.split(' ')[0]], [0, packageJson.name]);
});

test('without a home folder of its own, a project folder does not become one', (t) => {
  const box = new Sandbox(t);
  mkdirSync(join(box.project, '.subconscious-mcp'));
  writeFileSync(join(box.project, '.subconscious-mcp', 'config.json'), '{"namespace": "victim"}');
  for (const home of ['', '.']) {
    const { stderr } = run(box, ['--print-config'], { HOME: home, USERPROFILE: home });
    assert.equal(stderr.includes('victim'), false, stderr);
    assert.equal(stderr.includes(box.project), false, stderr);
  }
});

test('--help names every option', (t) => {
  const { status, stdout } = run(new Sandbox(t), ['--help']);
  assert.equal(status, 0);
  for (const option of ['--config', '--print-config', '--standalone', '--version', '--help']) {
    assert.ok(stdout.includes(option), option);
  }
});

test('--print-config writes the resolved configuration to stderr and nothing to stdout', (t) => {
  const box = new Sandbox(t);
  box.configure({ namespace: 'from-file', default_threshold: 0.7 });
  const { status, stdout, stderr } = run(box, ['--print-config'], { SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.9' });
  assert.deepEqual({ status, stdout }, { status: 0, stdout: '' });
  assert.deepEqual(JSON.parse(stderr), {
    storage_dir: box.storage,
    embedding_model: 'all-MiniLM-L6-v2',
    default_threshold: 0.9,
    default_ttl_seconds: null,
    log_level: 'INFO',
    echo_log_enabled: true,
    echo_log_max_bytes: 5_000_000,
    namespace: 'from-file',
    capture_enabled: true,
    episode_days: 90,
    episode_limit: 2000,
    toolsets: ['core'],
    standalone: true,
    idle_seconds: process.platform === 'win32' ? 10 : 60,
  });
});

test('an unknown option or command is refused in one sentence that names it', (t) => {
  const box = new Sandbox(t);
  for (const [args, named] of [
    [['--treshold'], '--treshold'],
    [['serve'], 'serve'],
    [['--config'], '--config'],
    [['--version=2'], '--version'],
  ] as const) {
    const { status, stdout, stderr } = run(box, args);
    assert.deepEqual({ status, stdout }, { status: 2, stdout: '' }, args.join(' '));
    assert.ok(stderr.includes(named), stderr);
    assert.match(stderr, /--help\.\n$/);
    assert.equal(stderr.split('\n').length, 2);
  }
});

test('a broken config.json ends the start with file, line and column', (t) => {
  const box = new Sandbox(t);
  const file = box.configure('{\n  "namespace": "a",\n  "log_level" "INFO"\n}\n');
  const { status, stdout, stderr } = run(box, []);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.ok(stderr.includes(file), stderr);
  assert.match(stderr, /line 3, column 15/);
});

test('a value that cannot be used ends the start with its name, its place and what is allowed', (t) => {
  const box = new Sandbox(t);
  const file = box.configure({ default_threshold: 7 });
  const inFile = run(box, []);
  assert.equal(inFile.status, 1);
  assert.match(inFile.stderr, /default_threshold.*7.*0 to 1/);
  assert.ok(inFile.stderr.includes(file));

  const inEnv = run(box, [], { SUBCONSCIOUS_DEFAULT_THRESHOLD: '0.5', SUBCONSCIOUS_LOG_LEVEL: 'LOUD' });
  assert.equal(inEnv.status, 1);
  assert.match(inEnv.stderr, /SUBCONSCIOUS_LOG_LEVEL.*DEBUG/);
});

test('a file named by --config has to be there', (t) => {
  const box = new Sandbox(t);
  const missing = join(box.root, 'missing.json');
  const { status, stdout, stderr } = run(box, ['--config', missing]);
  assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
  assert.ok(stderr.includes(missing), stderr);
});
