import type { Finding, Redacted } from '../../../src/core/ports.js';
import type { SecretSample, Span } from './samples.js';

/** So much of a secret may not be left; a shorter one may not be left as a whole. */
const TELLING = 8;

/** What is wrong with the redacted sample; nothing when every secret is gone and the rest is there. */
export function faultOf(sample: SecretSample, { text, findings }: Redacted): string | null {
  if (text !== masked(sample.text, findings)) return 'text and findings differ';
  const left = outside(sample.text, findings).join('\n');
  const told = sample.secrets.filter((secret) => tells(left, secret)).length;
  if (told > 0) return `${told} of ${sample.secrets.length} left`;
  const taken = sample.plainLines.filter((line) => findings.some((finding) => overlap(line, finding))).length;
  return taken > 0 ? `${taken} lines without a secret masked` : null;
}

/** The text with each finding replaced, as a redactor has to return it. */
export function masked(text: string, findings: readonly Finding[]): string {
  const pieces = outside(text, findings);
  return pieces.map((piece, i) => `${piece}${placeholder(findings[i])}`).join('');
}

function placeholder(finding: Finding | undefined): string {
  return finding === undefined ? '' : `[REDACTED:${finding.rule}]`;
}

/** What stands before, between and after the findings. */
function outside(text: string, findings: readonly Finding[]): string[] {
  const starts = [0, ...findings.map(({ end }) => end)];
  return starts.map((start, i) => text.slice(start, findings[i]?.start ?? text.length));
}

function tells(left: string, secret: string): boolean {
  if (secret.length < TELLING) return left.includes(secret);
  return Array.from({ length: secret.length - TELLING + 1 }, (_, i) => secret.slice(i, i + TELLING)).some(
    (part) => left.includes(part),
  );
}

function overlap(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
