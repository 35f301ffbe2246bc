import type { Finding, Redacted } from '../../core/ports.js';
import { anchorIndex, scan } from './anchorScan.js';
import { aiTokens } from './aiTokens.js';
import { encodedBlocks, pemBlocks } from './blocks.js';
import { cloudTokens } from './cloudTokens.js';
import { codeTokens } from './codeTokens.js';
import { commands } from './commands.js';
import { headers } from './headers.js';
import { insertedValues } from './insertedValues.js';
import { namedSecrets } from './namedSecrets.js';
import { plainText } from './plainText.js';
import { privateSpans } from './privateSpans.js';
import { productTokens } from './productTokens.js';
import { detector } from './rule.js';
import { secretData } from './secretData.js';
import { pipes, statements } from './statements.js';
import { around, mask, merge, unmask, type Candidate } from './spans.js';
import { otherLanguages } from './otherLanguages.js';
import { urls } from './urls.js';

const INDEX = anchorIndex([
  pemBlocks,
  ...[...aiTokens, ...cloudTokens, ...codeTokens, ...productTokens, ...encodedBlocks].map((rule) =>
    detector(rule, true),
  ),
  ...[...headers, ...urls, ...commands, ...pipes, ...statements, ...otherLanguages].map((rule) =>
    detector(rule, false),
  ),
  insertedValues,
  secretData,
  namedSecrets,
]);

/** A mask can show what was glued to a secret; more rounds than this only happen to texts made for it. */
const ROUNDS = 4;

/** See {@link import('../../core/ports.js').Redact}. */
export function redact(text: string): Redacted {
  const hidden = privateSpans(text);
  const plain = plainText(text);
  let findings: Finding[] = hidden;
  let secrets: Candidate[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const fresh = merge(scan(mask(plain, findings), INDEX));
    if (fresh.length === 0) break;
    const found = unmask(fresh, findings);
    secrets = secrets.length === 0 ? found : merge([...secrets, ...found]);
    findings = around(hidden, secrets);
  }
  return { text: mask(text, findings), findings };
}
