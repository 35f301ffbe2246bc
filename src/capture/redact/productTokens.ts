import { isToken, isUnlikeName } from './placeholders.js';
import type { Rule } from './rule.js';
import { token } from './rule.js';
import { isRandom } from './values.js';

const hexDigits = Array.from('0123456789abcdef');

/** How the digits of a user's id begin in base64. */
const discordStarts = Array.from('MNO', (a) =>
  Array.from('DTjz', (b) => Array.from('abcdefghijklmnopqrstuvwxyz', (c) => a + b + c)),
).flat(2);

/** Messages, mail, payments and shops. */
export const productTokens: readonly Rule[] = [
  token(
    'slack_token',
    ['xoxb-', 'xoxa-', 'xoxp-', 'xoxr-', 'xoxs-', 'xoxo-', 'xoxc-', 'xoxd-'],
    '[A-Za-z0-9%._-]{10,}',
    isToken,
  ),
  token('slack_token', ['xoxe.', 'xoxe-'], '[A-Za-z0-9._-]{20,}', isToken),
  token('slack_app_token', ['xapp-'], '[A-Za-z0-9-]{20,}', isUnlikeName),
  token(
    'slack_webhook',
    ['https://hooks.slack.com/'],
    '(?:services|workflows|triggers)/[A-Za-z0-9]{6,}/[A-Za-z0-9_/-]{12,}',
    isToken,
  ),
  token(
    'discord_webhook',
    [
      'https://discord.com/api/',
      'https://discordapp.com/api/',
      'https://ptb.discord.com/api/',
      'https://canary.discord.com/api/',
    ],
    String.raw`(?:v\d{1,2}/)?webhooks/\d{15,}/[A-Za-z0-9_-]{30,}`,
    isToken,
  ),
  {
    id: 'discord_token',
    anchors: discordStarts,
    pattern: /(?<![\w-])[MNO][A-Za-z0-9]{22,30}\.[\w-]{6,7}\.[\w-]{25,}/y,
  },
  token(
    'teams_webhook',
    ['https://'],
    String.raw`[\w-]{1,60}\.webhook\.office\.com/webhookb2/[\w@-]{36,}/IncomingWebhook/[\w/-]{20,}`,
  ),
  {
    id: 'telegram_token',
    anchors: [':AA'],
    pattern: /:AA[A-Za-z0-9_-]{32,}/y,
    before: /(?:(?<![A-Za-z0-9])|(?<=\bbot))\d{8,10}$/,
  },
  token('sendgrid_key', ['SG.'], String.raw`[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,}`, isToken),
  token('sendinblue_key', ['xkeysib-', 'xsmtpsib-'], '[a-f0-9]{40,}-[A-Za-z0-9]{12,}'),
  token('mailgun_key', ['key-'], '[a-f0-9]{32,}'),
  {
    id: 'mailchimp_key',
    anchors: ['-us'],
    pattern: /-us\d{1,2}(?![A-Za-z0-9])/y,
    before: /(?<![A-Za-z0-9])[a-f0-9]{32}$/,
  },
  token(
    'twilio_key',
    hexDigits.map((digit) => `SK${digit}`),
    '[a-f0-9]{31,}',
  ),
  token('stripe_key', ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'], '[A-Za-z0-9]{10,}', isToken),
  token('stripe_webhook_secret', ['whsec_'], '[A-Za-z0-9+/=]{20,}', isToken),
  token('square_token', ['sq0atp-', 'sq0csp-', 'sq0idp-', 'EAAAE', 'EAAAl'], '[A-Za-z0-9_-]{20,}', isToken),
  token('square_token', ['EAAA'], '[A-Za-z0-9_-]{56,62}(?![A-Za-z0-9_+/=-])', isRandom),
  token('hubspot_token', ['pat-na', 'pat-eu', 'pat-ap'], String.raw`\d-[a-f0-9]{8}-[a-f0-9-]{20,}`),
  token(
    'plaid_token',
    ['access-production-', 'access-sandbox-', 'access-development-'],
    '[a-f0-9]{8}-[a-f0-9-]{20,}',
  ),
  token(
    'paypal_token',
    ['access_token$production$', 'access_token$sandbox$'],
    String.raw`[a-z0-9]{10,}\$[a-f0-9]{32,}`,
  ),
  token('shopify_token', ['shpat_', 'shpss_', 'shpca_', 'shppa_'], '[a-fA-F0-9]{32,}'),
  token('facebook_token', ['EAACEdEose0cBA'], '[A-Za-z0-9]{20,}'),
  token('notion_token', ['secret_', 'ntn_'], '[A-Za-z0-9]{40,}', isToken),
  token('airtable_token', ['pat'], String.raw`[A-Za-z0-9]{14}\.[a-f0-9]{60,}`),
  token('figma_token', ['figd_', 'figdr_'], '[A-Za-z0-9_-]{30,}', isToken),
  token('dropbox_token', ['sl.'], '[A-Za-z0-9_-]{100,}', isToken),
  token('contentful_token', ['CFPAT-'], '[A-Za-z0-9_-]{40,}', isToken),
  token('typeform_token', ['tfp_'], '[A-Za-z0-9_.=-]{40,}', isToken),
  token('easypost_key', ['EZAK', 'EZTK'], '[A-Za-z0-9]{50,}', isToken),
  token('shippo_token', ['shippo_live_', 'shippo_test_'], '[a-f0-9]{40,}'),
];
