import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { redact } from '../../src/capture/redact/redact.js';
import { filler } from './redactBuilders.js';
import { samples } from './redactSamples.js';

/** What rules look for and what could confuse them, to be put together in any order. */
const fragments = fc.oneof(
  fc.constantFrom(...samples.map(({ hit }) => hit.join(''))),
  fc.constantFrom(...samples.map(({ hit }) => hit[1])),
  fc.constantFrom(...samples.map(({ miss }) => miss)),
  fc.constantFrom(...Array.from(' \n"\'`=:;,&@._-/\\[]{}()<>|$%#é😀')),
  fc.constantFrom(': ', '\\n', '\\"', '://', ' is ', '%3D', '...', '\r\n', 'value: ', '-----', '----- '),
  fc.constantFrom('password', 'token ', 'api key', 'secret=', 'KEY', 'Bearer ', 'curl -u ', '--token '),
  fc.constantFrom('sk-', 'ghp_', 'AKIA', 'eyJ', '-----BEGIN PRIVATE KEY-----', '-----END PRIVATE KEY-----'),
  fc.constantFrom(
    '<private>',
    '</private>',
    '[REDACTED:x]',
    '[REDACTED:github_token]',
    '[REDACTED:',
    'hunter2',
  ),
  fc.string({ maxLength: 12 }),
  fc.tuple(fc.integer({ min: 1, max: 45 }), fc.nat(99)).map(([length, seed]) => filler('word', length, seed)),
);
const texts = fc.array(fragments, { maxLength: 8 }).map((parts) => parts.join(''));
/** As they are when something was cut off at either end. */
const pieces = fc
  .tuple(texts, fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([text, from, to]) => text.slice(Math.floor(from * text.length), Math.ceil(to * text.length)));
const anyText = fc.oneof(texts, pieces, fc.string({ unit: 'binary', maxLength: 60 }));

test('findings are in order and apart, inside of the text, and the text differs at them alone', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const { text: masked, findings } = redact(text);
      let end = 0;
      let expected = '';
      for (const finding of findings) {
        assert.ok(finding.start >= end && finding.start < finding.end && finding.end <= text.length);
        expected += `${text.slice(end, finding.start)}[REDACTED:${finding.rule}]`;
        end = finding.end;
      }
      assert.equal(masked, expected + text.slice(end));
    }),
    { numRuns: 3000 },
  );
});

test('what was masked once is left as it is', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redact(text).text;
      assert.deepEqual(redact(once), { text: once, findings: [] });
    }),
    { numRuns: 3000 },
  );
});

test('the same text has the same findings, whatever was asked before', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, other) => {
      const first = redact(text);
      redact(other);
      assert.deepEqual(redact(text), first);
    }),
    { numRuns: 500 },
  );
});

test('a secret is found in any surroundings that do not touch it', () => {
  const surroundings = fc.string({ unit: fc.constantFrom(...Array.from('ab1 .,:;!?\n')), maxLength: 80 });
  const tokens = samples.filter(({ hit }) => hit[0] === 'it printed ');
  fc.assert(
    fc.property(fc.constantFrom(...tokens), surroundings, surroundings, ({ rule, hit }, before, after) => {
      assert.equal(redact(`${before}\n${hit[1]}\n${after}`).text.includes(`\n[REDACTED:${rule}]\n`), true);
    }),
    { numRuns: 1000 },
  );
});
