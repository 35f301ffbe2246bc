import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';
import { filler } from './redactBuilders.js';

const FEW = 20_000;
const TIMES = 16;
/** One is enough for a text that is worked through in linear time, unless the machine is busy. */
const LOOKS = 12;

/** Texts of nothing but what rules begin with, do not end with, or try again and again. */
const hostile = [
  'a',
  '=',
  ' ',
  '\n',
  '-',
  '\\',
  '"\'',
  '</',
  '😀',
  'password=',
  'password = ',
  'password="',
  'password=\'password="',
  'password=\\"',
  'password=$',
  'password=(token=[secret={',
  'password=foo(',
  'password     \n      ',
  'passwordpassword',
  'password=[REDACTED:x] ',
  '[REDACTED:x]',
  '[REDACTED:',
  'token ',
  'token is ',
  'the token for ',
  'key: a',
  'key-',
  '<private>',
  '<private',
  '-----BEGIN ',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n ',
  'sk-',
  'sk-xxxxxxxxxxxxxxxx-',
  'ghp_',
  'eyJ',
  'eyJaaaaaaa-',
  'eyJaaaaaaaaaa.',
  '://a:',
  'x://a:b',
  'x://a:b@',
  ' -u a:b1',
  'curl -u a:b1 ',
  'mysql -p',
  'authorization: ',
  'cookie: a=b;',
  'sig=',
  'X-Amz-Signature=',
  'パスワード',
  '密码是',
  'seed phrase: ab ',
  'phrase: abc def ',
  'login a password ',
  'Private-Lines: 3\naaaa\n',
  'LS0tLS1CRUdJTi',
  'password: |\n ',
  'password: |\n\n',
  'password=a\\ ',
  "password='\\'",
  '"password":\n',
  'API_KEY=\\\n',
  'password:\u00a0',
  '\x1b[32mAPI_KEY\x1b[0m=',
  '`<private>a',
  '`<private>a</private>`',
  'insert into a (password',
  "insert into a (password) values ('a1",
  "insert into a (password) values ('a1'),",
  'echo a | sudo ',
  'echo ',
  'パスワードは ',
  'jwt.sign({',
  'getConnection("',
  'variable "token" { ',
  '{"password":"hunter2","token":"abc123def"},',
  'x://a:b,',
  'x@tcp(',
  '"a:(@tcp(',
  'oracle:thin:a/',
  'db:5432:a:b:c',
  'jwt.sign(a, "',
  'echo "a | ',
  'echo a | sudo -S',
  '<(echo a',
  '<<<',
  'sudo -S <<<a',
  "identified by '",
  'identified by abcd',
  'docker login -p ',
  'eyJaaaaaaaa,',
  "insert into a (password) values ('\\",
  'insert into a (password) values (\'a""',
  "''",
  'stringData:\n  a: b1\n',
  '-----BEGIN PRIVATE KEY-----\naaaa-',
  '"value": "a", "name": "password',
  'value: \'a, name: "password',
  `AKIA${filler('upper', 16)}sk-`,
  `key-${filler('hex', 32)}sk-${filler('word', 20)}`,
  `token ${filler('hex', 40)} `,
];

for (const unit of hostile) {
  test(`work grows with the text and not with its square: ${JSON.stringify(unit).slice(0, 40)}`, () => {
    const few = unit.repeat(Math.ceil(FEW / unit.length));
    const many = unit.repeat(Math.ceil((FEW * TIMES) / unit.length));
    work(few);
    // A square would make it 256 times as much, at every look; a busy machine does so at some.
    const isLinear = () => work(many) <= 4 * TIMES * Math.max(leastWork(few), 1000);
    assert.ok(Array.from({ length: LOOKS }).some(isLinear), 'grows faster than the text');
  });
}

/** Processor time, in microseconds. */
function work(text: string): number {
  const before = process.cpuUsage();
  redact(text);
  return process.cpuUsage(before).user;
}

/** The least of three tries. */
function leastWork(text: string): number {
  return Math.min(work(text), work(text), work(text));
}
