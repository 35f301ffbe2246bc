import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiTokens } from '../../src/capture/redact/aiTokens.js';
import { encodedBlocks } from '../../src/capture/redact/blocks.js';
import { cloudTokens } from '../../src/capture/redact/cloudTokens.js';
import { codeTokens } from '../../src/capture/redact/codeTokens.js';
import { commands } from '../../src/capture/redact/commands.js';
import { headers } from '../../src/capture/redact/headers.js';
import { otherLanguages } from '../../src/capture/redact/otherLanguages.js';
import { pipes, statements } from '../../src/capture/redact/statements.js';
import { productTokens } from '../../src/capture/redact/productTokens.js';
import { redact } from '../../src/capture/redact/redact.js';
import { urls } from '../../src/capture/redact/urls.js';
import { alphabets, filler } from './redactBuilders.js';
import { samples } from './redactSamples.js';

const rules = [
  ...aiTokens,
  ...cloudTokens,
  ...codeTokens,
  ...productTokens,
  ...encodedBlocks,
  ...headers,
  ...urls,
  ...commands,
  ...pipes,
  ...statements,
  ...otherLanguages,
];

for (const [place, { rule, hit, miss }] of samples.entries()) {
  const [before, secret, after] = hit;

  test(`${rule} takes the secret and nothing else (sample ${place})`, () => {
    const { text, findings } = redact(before + secret + after);
    assert.equal(text, `${before}[REDACTED:${rule}]${after}`);
    assert.deepEqual(findings, [{ rule, start: before.length, end: before.length + secret.length }]);
  });

  test(`${rule} leaves alone what only resembles one (sample ${place})`, () => {
    assert.deepEqual(redact(miss), { text: miss, findings: [] });
  });
}

test('every rule has a sample, and there are at least 45', () => {
  const tried = new Set(samples.map(({ rule }) => rule));
  assert.deepEqual(
    rules.map(({ id }) => id).filter((id) => !tried.has(id)),
    [],
  );
  assert.ok(tried.size >= 45);
  for (const id of tried) assert.match(id, /^[a-z][a-z0-9_]+$/);
});

test('a token is found whatever it is put between', () => {
  const token = `ghp_${filler('word', 36)}`;
  for (const [before, after] of [
    ['"', '"'],
    ['`', '`'],
    ['(', ')'],
    ['[', '](x)'],
    ['x=', '&y=1'],
    ['https://', '@github.com/a/b'],
    ['a,', ',b'],
    [String.raw`first\n`, String.raw`\nlast`],
    [String.raw`\u003d`, String.raw`\u0026`],
    ['q%3D', '%26'],
    ['\u001b[32m', '\u001b[0m'],
    ['日本', '語'],
  ] as const) {
    const { text } = redact(before + token + after);
    assert.equal(text, `${before}[REDACTED:github_token]${after}`);
  }
});

test('a longer run is taken to its end', () => {
  for (const [rule, secret] of [
    ['github_token', `ghp_${filler('word', 3000)}`],
    ['google_api_key', `AIza${filler('word', 90)}`],
    ['aws_access_key_id', `AKIA${filler('upper', 40)}`],
    ['assignment', `password=${filler('word', 3000)}`],
    ['assignment', `password='${filler('word', 30_000)}'`],
  ] as const) {
    const { text } = redact(`a ${secret} b`);
    assert.match(text, new RegExp(`^a (?:password='?)?\\[REDACTED:${rule}\\](?:'? b)?$`));
  }
});

test('of two names for one secret the more telling one is taken', () => {
  const token = `ghp_${filler('word', 36)}`;
  assert.equal(redact(`GITHUB_TOKEN="${token}"`).text, 'GITHUB_TOKEN="[REDACTED:github_token]"');
  assert.equal(redact(`Authorization: token ${token}`).text, 'Authorization: token [REDACTED:github_token]');
});

test('a secret inside of a longer one goes with it', () => {
  const token = `ghp_${filler('word', 36)}`;
  const long = `${filler('word', 60)} ${token} ${filler('word', 60, 3)}`;
  assert.equal(redact(`DB_PASSWORD="${long}" # x`).text, 'DB_PASSWORD="[REDACTED:assignment]" # x');
});

test('a finding never holds the secret', () => {
  for (const { hit } of samples) {
    const [before, secret, after] = hit;
    assert.ok(!JSON.stringify(redact(before + secret + after)).includes(secret));
  }
});

test('ids, sums and other long strings stay', () => {
  const hex = (length: number): string => filler('hex', length);
  const base64 = `${filler('base64', 86)}==`;
  for (const text of [
    '123e4567-e89b-12d3-a456-426614174000',
    `commit ${hex(40)} fixes the token refresh`,
    `the token refactor landed as ${hex(40)}`,
    `sha256:${hex(64)}`,
    `md5 (a.txt) = ${hex(32)}`,
    `"js-tokens":{"version":"4.0.0","integrity":"sha512-${base64}"}`,
    `node@sha256:${hex(64)}`,
    `data:image/png;base64,${filler('base64', 400)}`,
    'src/components/UserProfile/AvatarImage/passwordStrengthMeter.tsx',
    'C:\\Users\\bob\\secret\\token\\keys.txt',
    'getUserPasswordFromKeychainAndValidateItTwice',
    'backup-2026-07-08-nightly-run',
    `ssh-ed25519 AAAA${filler('base64', 64)} bob@host`,
    `SHA256:${filler('base64', 43)} bob@host (ED25519)`,
    'git@github.com:a/b.git and ssh://git@github.com:22/a/b.git and https://bob@host/path',
    'bob.miller+secret@example.com',
    'v1.2.3-beta.4+build.567',
    alphabets.word,
  ]) {
    assert.deepEqual(redact(text), { text, findings: [] });
  }
});
