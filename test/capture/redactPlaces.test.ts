import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';

const MASK = '[REDACTED:assignment]';

for (const [text, masked] of [
  ['{"value":"Hazel77x","name":"DB_PASSWORD"}', `{"value":"${MASK}","name":"DB_PASSWORD"}`],
  ['<add value="Hazel77x" key="DB_PASSWORD"/>', `<add value="${MASK}" key="DB_PASSWORD"/>`],
  ['API_KEY ?= abc123def', `API_KEY ?= ${MASK}`],
  ['string ApiKey { get; set; } = "abc123def456";', `string ApiKey { get; set; } = "${MASK}";`],
  [
    'Content-Disposition: form-data; name="password"\r\n\r\nHazel77x\r\n--x',
    `Content-Disposition: form-data; name="password"\r\n\r\n${MASK}\r\n--x`,
  ],
  ['<input type="password" name="p" value="Hazel77x">', `<input type="password" name="p" value="${MASK}">`],
  ['<input value="Hazel77x" type="password">', `<input value="${MASK}" type="password">`],
  ['u?next=a%3D1%26password%3DHazel77x%26b', `u?next=a%3D1%26password%3D${MASK}%26b`],
  ['%26api_key%3Dabc123def', `%26api_key%3D${MASK}`],
] as const) {
  test(`a value stands in an unusual place: ${JSON.stringify(text)}`, () => {
    const once = redact(text).text;
    assert.equal(once, masked);
    assert.equal(redact(once).text, once);
  });
}

test('a literal in no order by the name of a secret is one, whatever its letters are', () => {
  for (const value of [
    '9kERCyGTvnHt',
    'WG.UmIdHyA?l+O',
    'tG^x&W.CBtPg+&',
    'xKqWvTbZrLpM',
    'hGtRwQzXcVbN',
    'mX7pLq9R',
  ]) {
    for (const before of [
      'secret_key = "',
      'const apiKey = "',
      '$env:API_KEY = "',
      'client_secret: "',
      '{"token":"',
    ])
      assert.equal(redact(`${before}${value}"`).text, `${before}${MASK}"`);
  }
});
