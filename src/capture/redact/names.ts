/**
 * What a name promises of its value:
 * - `password`: people choose it, so anything but a placeholder will do;
 * - `secret`: programs make it, or people write a phrase;
 * - `token`: tokens and keys that programs make;
 * - `login`: `auth`, credentials and connection strings, which may be many other things;
 * - `key`: some other key, which has to look like one.
 */
export type SecretKind = 'password' | 'secret' | 'token' | 'login' | 'key';

/** Behind the word for a secret: the name is about one. */
const ABOUT = wordSet(
  'address algorithm attempt attempts audience author bits budget bucket bytes cache callback changed class column complexity ' +
    'cost count counter created dir directory disabled enabled encoder encoding endpoint env error errors exists ' +
    'expiration expire expired expires expiry failed failure field file filename fingerprint folder form format func ' +
    'generator handler hash hashed hasher header hint icon id idx ids index info input invalid issuer kind label ' +
    'last len length limit link list location manager map max message meta method min mode model msg name names num ' +
    'number object option options page parser path pattern placeholder policy position prefix prompt provider ref ' +
    'reference regex region required reset response role rotation rule rules schema scope scopes selector service show ' +
    'size state status store strategy strength suffix timeout title ttl type types uri url usage used validate ' +
    'validation validator valid version view visible',
);

/** Right in front of it: the secret is none, or only counted, shown or asked for. */
const NO_SECRET = wordSet(
  'bos cache cached column completion continuation cursor dict end eos first foreign forgot has hash hashed hide hot ' +
    'idempotency invalid is item label map mask max message min missing next num object pad page partition prev ' +
    'gpg pgp primary prompt public publishable query react remaining row show sort special start thinking toggle total ' +
    'translation unk used valid',
);

/** What may follow on the word for a secret. */
const TAIL =
  /^(?:\d+|[a-z]|prod|production|live|dev|development|stage|staging|local|main|backup|old|new|current|confirm|confirmation|again|repeat|value|val|raw|plain|plaintext|base|base64|b64|hex|str|string|data|read|write|rw|ro|admin|root|user|app)$/;

const PASSWORD = /(?:password|passwd|passphrase|passcode|pswd|pwd|psk)\d*$/;
/** Whose a bare `pass` is: there are passes of other sorts. */
const PASS_OWNER =
  /^(?:db|user|my|smtp|mail|ftp|root|admin|redis|mysql|pg|postgres|ssh|sudo|mongo|rabbit|login|key|store|keystore|truststore|http|proxy|test|auth|become|vnc|wifi|guest|bind|ldap|service|account|ansible)?$/;
const PASS =
  /^(?:db|user|my|smtp|mail|ftp|root|admin|redis|mysql|pg|postgres|ssh|sudo|mongo|rabbit|login|key|store|require)pass\d*$/;
const SECRET = /secret\d*$/;
const TOKEN = /(?:token|pepper)\d*$/;
const LOGIN = /^(?:auth|authorization|credentials?|creds?|pw|conn(?:ection)?(?:str|string))$/;
/** What makes a key a secret one. */
export const KEY_OWNER =
  /^(?:api|access|secret|private|auth|encryption|encrypt|decryption|signing|sign|master|session|service|account|storage|shared|ssh|deploy|license|consumer|application|app|admin|server|client|webhook|hmac|jwt|aes|rsa|cipher|crypto|root|bot|subscription|ingest|integration|write|read|live|wallet|preshared|unseal)$/;
const KEY_WORD =
  /(?:api|access|secret|private|auth|encryption|signing|master|account|shared|client|consumer)key\d*$/;

/** Null for a name that is not the name of a secret. */
export function secretKind(name: string): SecretKind | null {
  const words = wordsOf(name);
  // Ids that are as good as the secret they go with.
  if (/public_?key/i.test(name)) return null;
  if (/(?:access_?key|(?:^|[^a-z])secret)_?id$/i.test(name)) return 'key';
  for (let last = words.length - 1; last >= 0; last -= 1) {
    const kind = kindOf(words[last] ?? '', words[last - 1], words[last + 1]);
    if (kind === null) continue;
    const tail = words.slice(last + 1);
    if (tail.some((word) => ABOUT.has(word)) || NO_SECRET.has(words[last - 1] ?? '')) return null;
    if (kind === 'key' && tail.length === 0 && /^x-/i.test(name)) return 'token';
    return tail.every((word) => TAIL.test(word)) ? kind : 'key';
  }
  return null;
}

function kindOf(word: string, before = '', after = ''): SecretKind | null {
  if (PASSWORD.test(word) || PASS.test(word) || (/^pass\d*$/.test(word) && PASS_OWNER.test(before)))
    return 'password';
  if (SECRET.test(word)) return 'secret';
  if (TOKEN.test(word)) return 'token';
  if (LOGIN.test(word)) return 'login';
  if (/^conn(?:ection)?$/.test(word) && /^str(?:ing)?$/.test(after)) return 'login';
  if (KEY_WORD.test(word)) return 'token';
  if (word === 'key' && KEY_OWNER.test(before)) return before === 'secret' ? 'secret' : 'token';
  if (/^(?:tokens|secrets|passwords|keys?|pass|pat)$/.test(word) && before !== '') return 'key';
  if (word === 'login') return 'key';
  return null;
}

/** The words of a name in any case style, in lower case. */
function wordsOf(name: string): string[] {
  if (/^[a-z]+$/.test(name)) return [name];
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z0-9]+(?![a-z])/g) ?? [];
  return words.map((word) => word.toLowerCase());
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}
