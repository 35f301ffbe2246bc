const verbs = [
  'configure',
  'debug',
  'migrate',
  'deploy',
  'refactor',
  'profile',
  'document',
  'upgrade',
  'secure',
  'test',
];
const things = [
  'the login form',
  'the build pipeline',
  'a Postgres index',
  'the Redis cache',
  'the invoice export',
  'a React table',
  'the Docker image',
  'the rate limiter',
  'the search page',
  'a cron job',
  'the payment webhook',
  'the feature flags',
];
const places = [
  'in staging',
  'for the mobile team',
  'on Windows',
  'behind the proxy',
  'in the monorepo',
  'after the upgrade',
  'for tenants',
];

/** @param {readonly string[]} list @param {number} i */
const pick = (list, i) => list[((i % list.length) + list.length) % list.length];

/** @param {number} i */
const parts = (i) =>
  `${pick(things, Math.floor(i / 10))} ${pick(places, Math.floor(i / 120))}, service ${Math.floor(i / 840)}`;

/** A task as it is stored. @param {number} i */
export const taskOf = (i) => `How to ${pick(verbs, i)} ${parts(i)}`;
/** The same task as somebody else asks it. @param {number} i */
export const questionOf = (i) => `What is the way to ${pick(verbs, i)} ${parts(i)}?`;
/** @param {number} i */
export const answerOf = (i) =>
  `Open the settings of component ${i}, follow the checklist in docs/${pick(verbs, i)}.md, run the smoke tests and watch the dashboard for ten minutes.`;
