import { isFiller } from './placeholders.js';
import type { Rule } from './rule.js';
import { isRandom, isVariable } from './values.js';

/** Passwords in addresses. */
export const urls: readonly Rule[] = [
  {
    // In a web address up to the last @ before the path.
    id: 'url_password',
    anchors: ['://'],
    pattern:
      /:\/\/(?!(?:user|username):pass(?:word)?@)(?<=(?:https?|wss?|git|ssh):\/\/)[^\s/?#@:"'`<>[\]|\\]{0,200}:([^\s/?#"'`<>]+)(?=@[\w[${%.-])/iy,
    check: isGiven,
  },
  {
    // A token in place of the user. The key in the address of an error tracker is a public one.
    id: 'url_token',
    anchors: ['://'],
    pattern: /:\/\/([A-Za-z0-9_-]{20,})(?=@(?!\w{1,40}\.ingest\.|sentry))/y,
    check: isRandom,
  },
  {
    // Where Go names a database: user:password@tcp(host)
    id: 'url_password',
    anchors: ['@tcp(', '@unix('],
    // Not back over another such address, or the units before many would be looked at for each.
    pattern:
      /(?<=["'`\s=][\w.-]{1,32}:([^\s"'`(]*(?:(?<!@tcp|@unix)\([^\s"'`(]*){0,100}))(?=@(?:tcp|unix)\()/y,
    check: isGiven,
  },
  {
    // Elsewhere up to the last @ before a host: the passwords of databases hold any character.
    id: 'url_password',
    anchors: ['://'],
    pattern:
      /:\/\/(?<!\b(?:https?|wss?|git|ssh):\/\/)(?!(?:user|username):pass(?:word)?@)(?<=[A-Za-z0-9]:\/\/)[^\s/?#@:"'`<>[\]|\\]{0,200}:(?:([^\s"'`<>]+)(?=@[\w[${%.-])|[^\s"'`<>]+())/iy,
    check: isGiven,
  },
];

/** `password` itself is not unusual here. */
function isGiven(secret: string): boolean {
  return !isVariable(secret) && (!isFiller(secret) || /^[a-z]+$/.test(secret));
}
