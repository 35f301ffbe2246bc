import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';
import { filler } from './redactBuilders.js';

const MASK = '[REDACTED:assignment]';

/** Notations, with NAME and VALUE in place of the two. */
const notations = [
  'NAME=VALUE',
  'NAME="VALUE"',
  "NAME='VALUE' # prod",
  'export NAME=VALUE',
  'NAME = VALUE',
  'NAME = "VALUE"',
  '    NAME=VALUE',
  '  NAME: VALUE',
  "NAME: 'VALUE'   # prod",
  '- NAME: "VALUE"',
  '{"a":1,"NAME":"VALUE","b":2}',
  String.raw`{\"NAME\": \"VALUE\", \"b\": 2}`,
  String.raw`{"cmd":"export NAME=VALUE\nnpm start"}`,
  'NAME   = "VALUE" # toml',
  "$env:NAME = 'VALUE'",
  '$NAME = "VALUE"',
  'set NAME=VALUE',
  'setx NAME VALUE',
  'ENV NAME VALUE',
  'ENV NAME=VALUE',
  'docker run -e NAME=VALUE image',
  'docker run -e "NAME=VALUE" image',
  'run with NAME=VALUE npm start',
  'tool --NAME VALUE run',
  'tool --NAME=VALUE run',
  'tool --NAME "VALUE" run',
  '"args": ["--NAME", "VALUE", "--verbose"]',
  'java -DNAME=VALUE -jar x.jar',
  'GET https://x.io/p?a=1&NAME=VALUE&b=2',
  'Server=x;NAME=VALUE;Encrypt=true',
  'curl -H "X-NAME: VALUE" https://x',
  "const NAME = 'VALUE';",
  'const NAME: string = "VALUE";',
  'let NAME: &str = "VALUE";',
  'char NAME[] = "VALUE";',
  'NAME := "VALUE"',
  "foo({ NAME: 'VALUE', b })",
  'connect(user="x", NAME="VALUE")',
  'os.environ["NAME"] = "VALUE"',
  "put('NAME', 'VALUE')",
  ':NAME => "VALUE"',
  "if (NAME === 'VALUE') {",
  '<NAME>VALUE</NAME>',
  '<NAME type="text">VALUE</NAME>',
  '<add key="NAME" value="VALUE"/>',
  '- name: NAME\n  value: VALUE',
  '{"name":"NAME","value":"VALUE"}',
  'variable "NAME" {\n  default = "VALUE"\n}',
  'A=1\r\nNAME=VALUE\r\nB=2',
  '; NAME = VALUE',
  '# NAME=VALUE',
];

const names = [
  'DB_PASSWORD',
  'DBPASSWORD',
  'dbPassword',
  'db-password',
  'passwd',
  'PGPASSWORD',
  'passphrase',
  'API_KEY',
  'apiKey',
  'api-key',
  'client_secret',
  'ACCESS_TOKEN',
  'SECRET_KEY_BASE',
  'privateKey',
  'auth_token',
];

for (const notation of notations) {
  test(`a secret is found in ${JSON.stringify(notation)}, and only its value is masked`, () => {
    for (const [at, name] of names.entries()) {
      for (const value of ['hunter2', 'Tr0ub4dor+3', filler('hex', 32, at), filler('base64', 43, at)]) {
        const text = notation.replaceAll('NAME', () => name).replace('VALUE', () => value);
        const masked = notation.replaceAll('NAME', () => name).replace('VALUE', () => MASK);
        assert.equal(redact(text).text, masked);
      }
    }
  });
}

for (const [text, masked] of [
  ['DB_PASSWORD="hunter2 x" # prod', `DB_PASSWORD="${MASK}" # prod`],
  [`DB_PASSWORD='it''s mine'`, `DB_PASSWORD='${MASK}'`],
  [String.raw`DB_PASSWORD="a \"b\" c1"`, `DB_PASSWORD="${MASK}"`],
  ['PASSWORD=ab,c;d(1)!', `PASSWORD=${MASK}`],
  ['Password=p@ss,w0rd;Encrypt=true', `Password=${MASK};Encrypt=true`],
  ['"client secret": "a8f7e6d5c4"', `"client secret": "${MASK}"`],
  ['client secret: a8f7e6d5c4', `client secret: ${MASK}`],
  ['POSTGRES_PASSWORD: postgres', `POSTGRES_PASSWORD: ${MASK}`],
  ['password: swordfish', `password: ${MASK}`],
  ['session({ secret: "keyboard cat" })', `session({ secret: "${MASK}" })`],
  ['HEROKU_API_KEY=8f3a2b1c-9d4e-4f60-8f3a-2b1c9d4e5f60', `HEROKU_API_KEY=${MASK}`],
  ['[a](https://x.io/b?token=lWZ9OBQ7GM)](c)', `[a](https://x.io/b?token=${MASK})](c)`],
] as const) {
  test(`a value ends where its notation ends it: ${text}`, () => assert.equal(redact(text).text, masked));
}

for (const [text, masked] of [
  ['password: |\n  Hazel77x\n', `password: |\n  ${MASK}\n`],
  ['db_password: >-\n  Hazel77x\nnext: 1', `db_password: >-\n  ${MASK}\nnext: 1`],
  [
    'a:\n  api_key: |2- # prod\r\n    abc123def\r\n\r\n    ghi\r\n  b: 1',
    `a:\n  api_key: |2- # prod\r\n    ${MASK}\r\n  b: 1`,
  ],
  ['- password: |\n    Hazel 77 velvet\n  b: 2', `- password: |\n    ${MASK}\n  b: 2`],
  ['+  password: |\n+    Hazel77x\n+  b: 2', `+  password: |\n+    ${MASK}\n+  b: 2`],
  ['SECRET: &a abc123def', `SECRET: &a ${MASK}`],
  ['password: !!str "Hazel77x"', `password: !!str "${MASK}"`],
] as const) {
  test(`YAML has values in other places: ${JSON.stringify(text)}`, () => {
    const once = redact(text).text;
    assert.equal(once, masked);
    assert.equal(redact(once).text, once);
  });
}

for (const [text, masked] of [
  ['DB_PASSWORD="the quick Brown fox 99"', `DB_PASSWORD="${MASK}"`],
  ["ADMIN_PASSWORD='to be or not 2 be'", `ADMIN_PASSWORD='${MASK}'`],
  ['DB_PASSWORD = "the quick Brown fox"', `DB_PASSWORD = "${MASK}"`],
  ['DB_PASSWORD="a b c 9x!"', `DB_PASSWORD="${MASK}"`],
  ['DB_PASSWORD="Passw0rd"', `DB_PASSWORD="${MASK}"`],
  ['password: S3cret!', `password: ${MASK}`],
  [String.raw`PASSWORD='Hazel7'\''xY9Q'`, `PASSWORD='${MASK}'`],
  [`PASSWORD='Hazel7'"'"'xY9Q'`, `PASSWORD='${MASK}'`],
  [String.raw`PASSWORD=Hazel7\ xY9Q npm start`, `PASSWORD=${MASK} npm start`],
  ["PASSWORD='$ecretPa55'", `PASSWORD='${MASK}'`],
] as const) {
  test(`a password may be of words and signs: ${text}`, () => assert.equal(redact(text).text, masked));
}

for (const [text, masked] of [
  ['password:\u00a0Hazel77x', `password:\u00a0${MASK}`],
  ['password\u3000=\u3000Hazel77x', `password\u3000=\u3000${MASK}`],
  ['{"password":\n  "Hazel77x"}', `{"password":\n  "${MASK}"}`],
  ['API_KEY=\\\nabc123def', `API_KEY=\\\n${MASK}`],
  [
    '\u001b[32mAPI_KEY\u001b[0m=\u001b[33mabc123def\u001b[0m',
    `\u001b[32mAPI_KEY\u001b[0m=\u001b[33m${MASK}\u001b[0m`,
  ],
  [String.raw`\u001b[1mpassword\u001b[0m: Hazel77x`, String.raw`\u001b[1mpassword\u001b[0m: ${MASK}`],
  ['ＡＰＩ＿ＫＥＹ＝ａｂｃ１２３ｄｅｆ', `ＡＰＩ＿ＫＥＹ＝${MASK}`],
] as const) {
  test(`the same in other signs: ${JSON.stringify(text)}`, () => assert.equal(redact(text).text, masked));
}

const said = '[REDACTED:mentioned_secret]';

for (const [text, masked] of [
  ['the password is hunter2.', `the password is ${said}.`],
  ['The password for the admin user is Tr0ub4dor&3, ok?', `The password for the admin user is ${said}, ok?`],
  ['API key (prod): abc123def456', `API key (prod): ${said}`],
  ['the token is `8f3a2b1c9d4e5f60`', `the token is \`${said}\``],
  ['log in with password hunter2 please', `log in with password ${said} please`],
  ['the passphrase is "hazel velvet bishop95"', `the passphrase is "${said}"`],
  [
    'it was the password was changed from hunter2 to hunter3.',
    `it was the password was changed from ${said}.`,
  ],
  [`try it with this key: ${filler('word', 40)}`, `try it with this key: ${said}`],
  ['the credentials are shop / hunter22', `the credentials are shop / ${said}`],
  ['| DB_PASSWORD | hunter2 |', `| DB_PASSWORD | ${said} |`],
  ['Das Passwort lautet Hazel4340', `Das Passwort lautet ${said}`],
  ['Le mot de passe est Glacier9370', `Le mot de passe est ${said}`],
  ['パスワードは Velvet4241 です', `パスワードは ${said} です`],
  ['パスワード：hunter2', `パスワード：${said}`],
  ['パスワード＝Hazel77x', `パスワード＝${said}`],
  ['パスワードは「iloveyou1」です', `パスワードは「${said}」です`],
  ['パスワードはWelcome1です', `パスワードは${said}です`],
  ['APIキーは abc123def456', `APIキーは ${said}`],
  ['the password is Hazel77x!', `the password is ${said}`],
  ['log in with pw Hazel77x', `log in with pw ${said}`],
  ['密码是 Meadow7775', `密码是 ${said}`],
  ['Пароль: xu0aFpH', `Пароль: ${said}`],
] as const) {
  test(`a sentence gives a secret away: ${text}`, () => assert.equal(redact(text).text, masked));
}

test('a string in no order is a secret only where the line speaks of one', () => {
  const random = filler('word', 32, 5);
  assert.equal(
    redact(`the token we use in CI: ${random}`).text,
    'the token we use in CI: [REDACTED:high_entropy]',
  );
  for (const text of [
    `the build we use in CI: ${random}`,
    `the token\n${random}`,
    `the token has the hash ${random}`,
    `the token is for request_id=${random}`,
    `the token ${'and so on '.repeat(8)} ${random}`,
    `the token of ${filler('hex', 40)}`,
  ]) {
    assert.equal(redact(text).text, text);
  }
});
