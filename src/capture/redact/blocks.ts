import type { Detection, Detector, Rule } from './rule.js';
import { token } from './rule.js';
import { isRandom } from './values.js';

const BEGIN =
  /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/y;
const END = /-----END [A-Z0-9 ]{0,40}(?:-----)?|---- END [A-Z0-9 ]{0,40}(?:----)?/y;

/** Units a block may have where its end is written; a longer one is taken for an unfinished one. */
const LONGEST = 100_000;

/** A line of a block: base64, a header, a checksum; with its number, indentation, quotes and escaped line ends. */
const LINE =
  /(?:[ \t>|#*"'`,]|\+(?![A-Za-z0-9+/=])|\\[nrt"'\\]|\r?\n(?:[-+]|[ \t]{0,8}\d{1,6}(?:→|:|\t| ?\|))?){0,400}(?:[A-Za-z0-9+/=]+(?![\w.-])(?![ \t]{1,4}[A-Za-z])|(?:Proc-Type|DEK-Info|Version|Comment|Subject|Hash):[^\n\\]*)/y;

/** A private key in armour, from its first line to its last, or to the end of what can belong to it. */
export const pemBlocks: Detector = {
  anchors: ['BEGIN '],
  specific: true,
  detect(text, at) {
    for (const dashes of ['-----', '---- ']) {
      const from = at - dashes.length;
      BEGIN.lastIndex = from;
      if (from >= 0 && BEGIN.test(text)) return block(text, from, BEGIN.lastIndex);
    }
    return null;
  },
};

function block(text: string, start: number, body: number): Detection {
  let dashes = text.indexOf('----', body);
  // In a diff the line has a dash of its own.
  if (text.startsWith('------END', dashes)) dashes += 1;
  END.lastIndex = dashes;
  const ended = dashes !== -1 && dashes - body <= LONGEST && END.test(text);
  const end = ended ? END.lastIndex : unfinished(text, body);
  return { findings: [{ rule: 'private_key', start, end }], resume: end };
}

function unfinished(text: string, body: number): number {
  let end = body;
  for (LINE.lastIndex = body; LINE.test(text); end = LINE.lastIndex);
  return end;
}

export const encodedBlocks: readonly Rule[] = [
  // The base64 of a block: Kubernetes keeps keys like that.
  token(
    'encoded_private_key',
    ['LS0tLS1CRUdJTi'],
    '(?:BQUklWQVRFI|BSU0Eg|BFQy|BPUEVOU1NI|BFTkNSWVBURUQg|BEU0Eg|BQR1Ag)[A-Za-z0-9+/=]{20,}',
  ),
  {
    // The private members of a JSON Web Key.
    id: 'json_web_key',
    anchors: ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"[ \t]{0,4}:[ \t]{0,4}"([A-Za-z0-9_-]{40,})(?=")/y,
    check: isRandom,
  },
  {
    // The words a wallet can be restored from.
    id: 'recovery_phrase',
    anchors: ['phrase', 'mnemonic'],
    pattern:
      /(?:phrase|mnemonic)["']?[ \t]{0,4}(?:[:=]|is)[ \t]{0,4}["']?((?:[a-z]{3,8}[ ,]{1,2}){11,24}[a-z]{3,8})(?![a-z])/iy,
  },
  {
    // What one-time passwords are made from.
    id: 'totp_seed',
    anchors: ['otp', '2fa', 'mfa'],
    pattern:
      /(?:otp|OTP|2fa|2FA|mfa|MFA)[ _-]?(?:[Ss]eed|[Ss]ecret|[Kk]ey|SEED|SECRET|KEY)["'`]?[^\nA-Z2-7[\]]{1,20}([A-Z2-7]{16,}={0,6})/y,
  },
  {
    // Of the files of web servers and systems; made for guessing against.
    id: 'password_hash',
    anchors: [
      '$apr1$',
      '$2a$',
      '$2b$',
      '$2y$',
      '$1$',
      '$5$',
      '$6$',
      '$y$',
      '$argon2',
      '{SHA}',
      '{SSHA}',
      'pbkdf2_sha',
    ],
    pattern:
      /\$(?:apr1|1|5|6|y)\$[A-Za-z0-9./$=]{20,}|\$2[aby]\$\d\d\$[A-Za-z0-9./]{50,}|\$argon2(?:id|i|d)\$[A-Za-z0-9+/=,$]{40,}|\{S?SHA(?:256|512)?\}[A-Za-z0-9+/=]{20,}|pbkdf2_sha\d{1,3}\$\d{1,8}\$[A-Za-z0-9+/=$]{30,}/y,
  },
  {
    id: 'putty_private_key',
    anchors: ['Private-Lines:'],
    pattern:
      /Private-Lines:[ \t]{0,4}\d{1,4}((?:(?:\r?\n|\\n|\\r)[ \t]{0,40}[A-Za-z0-9+/=]+(?![\w:-])){1,4000})/y,
  },
];
