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
  const count = (all: readonly string[], wanted: string) => all.filter((id) => id === wanted).length;
  const [ruled, sampled] = [rules.map(({ id }) => id), samples.map(({ rule }) => rule)];
  assert.deepEqual(
    [...tried].filter((id) => count(sampled, id) < count(ruled, id)),
    [],
    'with fewer samples than rules',
  );
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

/** What a secret of any length stands in. */
const places: readonly ((secret: string) => string)[] = [
  (secret) => `docker login -u AWS -p ${secret} x.io`,
  (secret) => `docker login -u AWS -p "${secret}" x.io`,
  (secret) => `redis-cli -a '${secret}' ping`,
  (secret) => `curl -u x:${secret} https://x.io`,
  (secret) => `curl --user 'x:${secret}' https://x.io`,
  (secret) => `curl -u "x:${secret}" https://x.io`,
  (secret) => `sshpass -p ${secret} ssh x`,
  (secret) => `sshpass -p '${secret}' ssh x`,
  (secret) => `mysql -u root -p${secret} db`,
  (secret) => `smbclient -U bob%${secret} //srv/a`,
  (secret) => `smbclient -U "bob%${secret}" //srv/a`,
  (secret) => `openssl enc -aes-256-cbc -k ${secret} -in a`,
  (secret) => `openssl rsa -passin pass:${secret} -in k`,
  (secret) => `htpasswd -nbB bob ${secret} > a`,
  (secret) => `ConvertTo-SecureString "${secret}" -AsPlainText`,
  (secret) => `machine x login bob password ${secret}`,
  (secret) => `db.example.com:5432:app:bob:${secret}\nnext`,
  (secret) => `jwt.sign({ id }, '${secret}', {})`,
  (secret) => `getConnection("jdbc:mysql://db/x", "bob", "${secret}")`,
  (secret) => `jdbc:oracle:thin:scott/${secret}@//h:1521/x`,
  (secret) => `mytool --password ${secret} --verbose`,
  (secret) => `mytool --password=${secret} --verbose`,
  (secret) => `echo ${secret} | docker login --password-stdin`,
  (secret) => `echo "${secret}" | docker login --password-stdin`,
  (secret) => `printf '%s' '${secret}' | sudo -S ls`,
  (secret) => `sudo -S ls <<< "${secret}"`,
  (secret) => `docker login --password-stdin <<< ${secret}`,
  (secret) => `x --password-file <(echo ${secret}) y`,
  (secret) => `ALTER USER bob WITH PASSWORD '${secret}';`,
  (secret) => `CREATE USER bob IDENTIFIED BY "${secret}"`,
  (secret) => `CREATE USER bob IDENTIFIED BY ${secret};`,
  (secret) => `INSERT INTO users (id, password) VALUES (1, '${secret}')`,
  (secret) =>
    `INSERT INTO users (bio, password) VALUES ('${"it''s me ".repeat(secret.length)}', 'Hazel${secret}')`,
  (secret) => `Passwort: ${secret}`,
  (secret) => `トークン：${secret}`,
  (secret) => `postgres://app:${secret}@db/prod`,
  (secret) => `https://app:${secret.replaceAll('/', '_')}@x.io/prod`,
  (secret) => `"app:${secret}@tcp(db:3306)/x"`,
  (secret) => `"app:(${secret}(@unix(/tmp/x)/x"`,
  (secret) => `Authorization: Bearer ${secret}`,
  (secret) => `Cookie: sid=${secret}; theme=dark; token=${secret}`,
  (secret) => `Set-Cookie: sid=${secret}; Path=/`,
  (secret) => `Cookie: ${'a=b; '.repeat(150)}sid=${secret}`,
  (secret) => `stringData:\n  value: ${secret}\n  other: Hazel${secret}\nkind: Secret`,
  (secret) => `{ "value": "${secret}", "name": "DB_PASSWORD" }`,
  (secret) => `{"value":"${secret}","name":"DB_PASSWORD"}`,
  (secret) => `https://x.io/?next=%2Fa%3Fpassword%3D${secret.replaceAll(/[+/]/g, '_')}`,
  (secret) => `the password was changed from ${secret} to Hazel${secret}`,
  (secret) => `DB_PASSWORD=${Array<string>(9).fill(secret).join('<"')}`,
  (secret) => `the secret is ${secret}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}`,
  (secret) => `Private-Lines: 1\n${secret}\nPrivate-MAC: 12`,
  (secret) => `token eyJ${secret.replaceAll(/[+/]/g, '_')}.eyJ${secret.replaceAll(/[+/]/g, '_')}.abc_`,
];

for (const place of places) {
  test(`nothing of a long secret is left: ${place('*').replaceAll('a=b; ', '').slice(0, 80)}`, () => {
    for (const length of [300, 2000, 10_000]) {
      const secret = filler('base64', length);
      const { text } = redact(place(secret));
      assert.equal(partLeft(text, secret), null, `of ${length}`);
    }
  });
}

test('nothing of a long basic header is left', () => {
  for (const length of [300, 2000, 10_000]) {
    const { text } = redact(`sent "Basic ${btoa(`bob:${filler('word', length)}`)}" to it`);
    assert.equal(text, 'sent "Basic [REDACTED:basic_auth]" to it');
  }
});

/** Twenty units of the secret that can still be read. */
function partLeft(text: string, secret: string): string | null {
  for (let at = 0; at + 20 <= secret.length; at += 1) {
    const part = secret.slice(at, at + 20);
    if (text.includes(part)) return part;
  }
  return null;
}

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
