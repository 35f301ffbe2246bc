import { isToken, isUnlikeName } from './placeholders.js';
import type { Rule } from './rule.js';
import { token, TOKEN_START } from './rule.js';
import { isRandom } from './values.js';

/** First letters of the ids of keys, roles, users and groups. */
const AWS_IDS = ['AKIA', 'ASIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ABIA', 'ACCA'];

const digits = Array.from('0123456789');

/** Clouds, infrastructure and the keepers of secrets. */
export const cloudTokens: readonly Rule[] = [
  token('aws_access_key_id', AWS_IDS, '[A-Z0-9]{16,}', isToken),
  {
    // What follows the id of a key in a list of them.
    id: 'aws_secret_key',
    anchors: ['AKIA', 'ASIA'],
    pattern: /(?:AKIA|ASIA)[A-Z0-9]{16}["'`]?[ \t,:;|/&=]{1,8}["'`]?([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y,
  },
  token('google_api_key', ['AIza'], '[A-Za-z0-9_-]{35,}', isToken),
  token('google_oauth_token', ['ya29.'], '[A-Za-z0-9_.-]{20,}', isToken),
  token('google_oauth_secret', ['GOCSPX-'], '[A-Za-z0-9_-]{20,}', isToken),
  token('google_refresh_token', ['1//0'], '[A-Za-z0-9_-]{30,}', isToken),
  {
    // Secrets of app registrations: three units, a digit, `Q~`.
    id: 'azure_client_secret',
    anchors: digits.map((digit) => `${digit}Q~`),
    pattern: /\dQ~[A-Za-z0-9_.~-]{30,}/y,
    before: /(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3}$/,
  },
  {
    id: 'azure_account_key',
    anchors: ['AccountKey='],
    pattern: /AccountKey=([A-Za-z0-9+/]{40,}={0,2})/iy,
  },
  {
    id: 'azure_shared_key',
    anchors: ['SharedAccessKey=', 'SharedSecret='],
    pattern: /Shared(?:AccessKey|Secret)=([A-Za-z0-9+/]{20,}={0,2})/iy,
  },
  token('digitalocean_token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], '[a-f0-9]{40,}'),
  token('vault_token', ['hvs.', 'hvb.', 'hvr.'], '[A-Za-z0-9_-]{20,}', isToken),
  {
    // Before version 1.10.
    id: 'vault_token',
    anchors: Array.from('abcdefghijklmnopqrstuvwxyz0123456789', (unit) => `s.${unit}`),
    pattern: new RegExp(String.raw`(?<![\w.$)\]])s\.[A-Za-z0-9]{24}(?![\w(.])`, 'y'),
    check: isRandom,
  },
  token(
    'doppler_token',
    ['dp.pt.', 'dp.st.', 'dp.ct.', 'dp.sa.', 'dp.scim.', 'dp.audit.'],
    '[A-Za-z0-9_.-]{30,}',
    isToken,
  ),
  token('onepassword_token', ['ops_eyJ'], '[A-Za-z0-9_=-]{40,}'),
  token('cloudflare_origin_key', ['v1.0-'], '[a-f0-9]{20,30}-[a-f0-9]{100,}'),
  token('cloudflare_token', ['cfut_', 'cfat_', 'cfk_'], '[A-Za-z0-9_-]{32,}', isToken),
  token('databricks_token', ['dapi'], '[a-f0-9]{32,}(?:-[0-9])?'),
  token('planetscale_token', ['pscale_tkn_', 'pscale_pw_', 'pscale_oauth_'], '[A-Za-z0-9_.=-]{30,}', isToken),
  token('supabase_key', ['sbp_', 'sb_secret_'], '[A-Za-z0-9_-]{20,}', isToken),
  token('tailscale_key', ['tskey-'], '[a-z]{2,12}-[A-Za-z0-9-]{12,}', isToken),
  token('grafana_token', ['glsa_', 'glc_'], '[A-Za-z0-9_+/=]{32,}', isToken),
  token('newrelic_key', ['NRAK-', 'NRJS-', 'NRII-', 'NRRA-'], '[A-Za-z0-9_-]{19,}', isToken),
  token('dynatrace_token', ['dt0c01.', 'dt0s16.'], String.raw`[A-Z0-9]{24}\.[A-Z0-9]{60,}`),
  token('alibaba_key_id', ['LTAI'], '[A-Za-z0-9]{12,}', isUnlikeName),
  token('yandex_token', ['y0_', 'AQVN'], '[A-Za-z0-9_-]{35,}', isToken),
  token('age_key', ['AGE-SECRET-KEY-1'], '[A-Z0-9]{40,}', isToken),
  {
    // Cloud messaging: the id of a project, and what all keys go on with.
    id: 'firebase_key',
    anchors: [':APA91b'],
    pattern: /:APA91b[\w-]{100,}/y,
    before: /(?<![\w-])AAAA[\w-]{5,12}$/,
  },
  token('heroku_key', ['HRKU-'], '[A-Za-z0-9_-]{30,}', isToken),
  {
    // Three parts and more: header, payload, signature. The payload may be encrypted.
    id: 'jwt',
    anchors: ['eyJ'],
    pattern: new RegExp(
      String.raw`(?:(?<![\w-])|(?<=\\[nrtbf]|%[\dA-F]{2}))eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{0,}(?:\.[\w-]+){0,2}`,
      'y',
    ),
  },
  {
    id: 'mapbox_token',
    anchors: ['sk.eyJ'],
    pattern: new RegExp(String.raw`${TOKEN_START}sk\.eyJ[\w-]{20,}\.[\w-]{16,}`, 'y'),
  },
];
