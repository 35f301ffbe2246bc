/** Short words and abbreviations that names in programs are put together from, and few random strings hold. */
const SHORT_WORDS: ReadonlySet<string> = new Set(
  (
    'a i ac ad ai an api as asp at aws be bg btn by cb cdn cfg cli cmd cms cpp crm cs csp csrf css csv ctx db ' +
    'dev dns do dom dst e env fb fcm fn fs ftp gcp gl go gpg gql grpc hdr hmac hq html http https id ids idx ' +
    'if in io ip is it iv js json jwt kms ldap ln lng lst me mfa mgr mq ms msg my mysql ng no np npm num of ' +
    'oidc ok o on op or os otp pg pgp php pin pk pkg pkcs ppl prod ptr pw pwd px py qa rds ref req res rpc rsa ' +
    'rss sa sas sdk se sha sig sk sms smtp sql src srv ss ssh ssl sso st std str svc sys tcp tf tls tmp to ' +
    'totp ts ttl tx txt ui uid up uri url us utf uuid ux vm vpn vs we wifi wp ws x xhr xml xsrf xss yml'
  ).split(' '),
);

/** Signs that passwords are mixed with, and names and paths seldom. */
const STRANGE = /[!#$%&*+?@^~]/g;

/**
 * Whether a value of letters and signs is in no order, and no name: not words in any case style, nor a path or a
 * pattern. In words one letter is large at most, and there are vowels.
 */
export function isJumbled(value: string): boolean {
  if (/^[/^?&]|\\/.test(value)) return false;
  if ((value.match(STRANGE)?.length ?? 0) > 2) return true;
  return (value.match(/[A-Za-z]+/g) ?? []).some(isJumbledRun);
}

function isJumbledRun(run: string): boolean {
  if (!/[a-z]/.test(run) || !/[A-Z]/.test(run)) return false;
  const words = run.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? [];
  return words.length > 1 && words.some((word) => !isReadable(word));
}

function isReadable(word: string): boolean {
  return SHORT_WORDS.has(word.toLowerCase()) || (word.length > 2 && /[aeiouy]/i.test(word));
}
