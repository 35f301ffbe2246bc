import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { redact } from '../../src/capture/redact/redact.js';
import type { Finding, Redacted } from '../../src/core/ports.js';
import { faultOf, masked } from './corpus/judge.js';
import {
  harmlessOfCorpus,
  secretsOfCorpus,
  type HarmlessSample,
  type SecretSample,
} from './corpus/samples.js';

interface Failure {
  readonly kind: string;
  readonly text: string;
  readonly why: string;
}

const secrets = secretsOfCorpus();
const harmless = harmlessOfCorpus();
const kindsOf = (samples: readonly HarmlessSample[]) => new Set(samples.map(({ kind }) => kind));

const missed = failures(secrets, (sample) => faultOf(sample, redact(sample.text)));
const falselyFound = failures(harmless, ({ text }) => {
  const rules = redact(text).findings.map(({ rule }) => rule);
  return rules.length > 0 ? rules.join(', ') : null;
});

function failures<Sample extends HarmlessSample>(
  samples: readonly Sample[],
  fault: (sample: Sample) => string | null,
): Failure[] {
  return samples.flatMap((sample) => {
    const why = fault(sample);
    return why === null ? [] : [{ kind: sample.kind, text: sample.text, why }];
  });
}

/** A row for each kind: its name, how many samples are right, how many there are. */
function table(samples: readonly HarmlessSample[], failed: readonly Failure[]): string {
  const count = (among: readonly HarmlessSample[], wanted: string) =>
    among.filter(({ kind }) => kind === wanted).length;
  return [...kindsOf(samples)]
    .map((kind) => {
      const total = count(samples, kind);
      return `  ${kind.padEnd(28)} ${total - count(failed, kind)}/${total}`;
    })
    .join('\n');
}

const list = (failed: readonly Failure[]) =>
  failed.map(({ kind, text, why }) => `  ${kind} (${why}): ${text.slice(0, 160)}`).join('\n');
const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(2)} %`;

const whole = (text: string): Redacted => spans(text, [{ rule: 'all', start: 0, end: text.length }]);
const spans = (text: string, findings: readonly Finding[]): Redacted => ({
  text: masked(text, findings),
  findings,
});

/** The secrets and nothing else. */
function ideal({ text, secrets: hidden }: SecretSample): Finding[] {
  let end = 0;
  return hidden.map((secret) => {
    const start = text.indexOf(secret, end);
    end = start + secret.length;
    return { rule: 'ideal', start, end };
  });
}

function sampleOf(kind: string): SecretSample {
  const sample = secrets.find((candidate) => candidate.kind === kind);
  assert.ok(sample, `the corpus has ${kind}`);
  return sample;
}

describe('the labelled corpus', () => {
  it('is large and broad enough to judge by', () => {
    assert.ok(secrets.length >= 200, `${secrets.length} samples with secrets`);
    assert.ok(kindsOf(secrets).size >= 40, `${kindsOf(secrets).size} kinds of secrets`);
    assert.ok(harmless.length >= 400, `${harmless.length} harmless samples`);
    assert.equal(
      new Set([...secrets, ...harmless].map(({ text }) => text)).size,
      secrets.length + harmless.length,
    );
  });

  it('is the same on every run', () => {
    assert.deepEqual(secretsOfCorpus(), secrets);
    assert.deepEqual(harmlessOfCorpus(), harmless);
  });

  it('has no sample without a secret that stands in its text, and no mark that was not read', () => {
    for (const { kind, text, secrets: hidden } of secrets) {
      assert.ok(hidden.length > 0, kind);
      for (const secret of hidden)
        assert.ok(secret.length >= 6 && text.includes(secret), `${kind}: ${secret}`);
    }
    for (const { kind, text } of [...secrets, ...harmless]) assert.doesNotMatch(text, /[«»‹›⟦⟧]/, kind);
  });

  it('has no secret that can be read in the rest of its text', () => {
    for (const sample of secrets)
      assert.equal(faultOf(sample, spans(sample.text, ideal(sample))), null, sample.kind);
  });

  it('does not take a redactor for good that masks nothing, a part, too much, or something else', () => {
    const sample = sampleOf('aws_secret_key');
    const { text } = sample;
    const findings = ideal(sample);
    assert.equal(faultOf(sample, spans(text, [])), '2 of 2 left');
    assert.equal(faultOf(sample, spans(text, findings.slice(0, 1))), '1 of 2 left');
    const cut = findings.map((finding) => ({ ...finding, end: finding.end - 8 }));
    assert.equal(faultOf(sample, spans(text, cut)), '2 of 2 left');
    assert.equal(faultOf(sample, whole(text)), '3 lines without a secret masked');
    assert.equal(faultOf(sample, { text, findings }), 'text and findings differ');
  });
});

describe('redaction', () => {
  it('finds at least 98 % of the secrets and leaves the lines around them alone', () => {
    console.log(`secrets found, of ${secrets.length}:\n${table(secrets, missed)}`);
    console.log(`missed ${percent(missed.length, secrets.length)}\n${list(missed)}`);
    assert.ok(missed.length <= 0.02 * secrets.length, `${missed.length} of ${secrets.length} missed`);
  });

  it('masks at most 1 % of what is harmless', () => {
    const kinds = kindsOf(falselyFound);
    const wrong = harmless.filter(({ kind }) => kinds.has(kind));
    console.log(`harmless kinds with something masked, left alone of all:\n${table(wrong, falselyFound)}`);
    console.log(`masked ${percent(falselyFound.length, harmless.length)}\n${list(falselyFound)}`);
    assert.ok(falselyFound.length <= 0.01 * harmless.length, `${falselyFound.length} of ${harmless.length}`);
  });

  it('keeps nine tenths of what stands around the secrets, key blocks aside', () => {
    const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
    const others = secrets.filter(({ text }) => !text.includes('-----'));
    const sizes = others.map(({ text, secrets: hidden }) => {
      const secret = sum(hidden.map(({ length }) => length));
      const taken = sum(redact(text).findings.map(({ start, end }) => end - start));
      return { around: text.length - secret, lost: Math.max(0, taken - secret) };
    });
    const around = sum(sizes.map((size) => size.around));
    const lost = sum(sizes.map((size) => size.lost));
    console.log(`masked of what stands around the secrets: ${percent(lost, around)}`);
    assert.ok(lost <= 0.1 * around, `${lost} of ${around} characters`);
  });

  it('reports findings in order, none empty and none within another, and replaces nothing else', () => {
    for (const { kind, text } of [...secrets, ...harmless]) {
      const redacted = redact(text);
      assert.equal(redacted.text, masked(text, redacted.findings), kind);
      let last = 0;
      for (const { start, end } of redacted.findings) {
        assert.ok(last <= start && start < end && end <= text.length, `${kind}: ${start} to ${end}`);
        last = end;
      }
    }
  });

  it('finds nothing in what it has masked already', () => {
    for (const { kind, text } of secrets) {
      const once = redact(text).text;
      assert.equal(redact(once).text, once, kind);
    }
  });
});
