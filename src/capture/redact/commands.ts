import type { Rule } from './rule.js';
import { isGiven, isVariable } from './values.js';

/** Passwords where commands take them without a name for them. */
export const commands: readonly Rule[] = [
  {
    id: 'curl_user',
    anchors: [' -u', ' -a', '--user', '--proxy-user'],
    pattern:
      /(?: -[ua]|--user|--proxy-user)(?:[ \t]{1,4}|=)?(?:'[^':\n]{1,80}:([^'\n]+)|"[^":\n]{1,80}:([^"\n]+)|[^\s:"'<>]{1,80}:([^\s"'<>]+))/y,
    line: /\b(?:curl|wget|https?)\b/,
    check: (secret) => isGiven(secret) && !/^\d{1,5}$/.test(secret),
  },
  {
    id: 'command_password',
    anchors: ['sshpass'],
    pattern: /sshpass[ \t]{1,4}-p[ \t]{0,4}(?:"([^"\n]+)|'([^'\n]+)|([^\s"']+))/y,
    check: isGiven,
  },
  {
    id: 'command_password',
    anchors: [' -p'],
    line: /\b(?:(?:mysql|mariadb)\w{0,5}|7z[ar]?|(?:un)?rar)(?![\w.])[^|;]{0,200}$/,
    pattern: / -p["']?([^\s"']{4,})/y,
    check: isGiven,
  },
  {
    id: 'command_password',
    anchors: [' -p', ' -P', ' -a', ' -w', ' -N'],
    line: /\b(?:(?:docker|podman|az) login|redis-cli|mongo\w{0,6}|cqlsh|ldap\w{3,8}|mosquitto_\w{3}|ssh-keygen|zip|7z|unrar)\b[^|;]{0,200}$/,
    pattern: / -[pPawN][ \t]{1,4}(?:"([^"\n]{4,})|'([^'\n]{4,})|([^\s"'-][^\s"']{3,}))/y,
    check: (secret) => isGiven(secret) && !/^\d{1,5}$/.test(secret),
  },
  {
    // user%password, and user,password
    id: 'command_password',
    anchors: [' -U', ' -u', '--user'],
    line: /\b(?:smb\w{1,12}|rpcclient|winexe|wmic|net|lftp)\b[^|;]{0,200}$/,
    pattern:
      /(?: -[Uu]|--user)(?:[ \t]{1,4}|=)?(?:'[^'%,\n]{1,80}[%,]([^'\n]+)|"[^"%,\n]{1,80}[%,]([^"\n]+)|[\w.@\\/-]{1,80}[%,]([^\s"']+))/y,
    check: isGiven,
  },
  {
    id: 'command_password',
    anchors: [' -k '],
    line: /\bopenssl[ \t]{1,4}(?:enc|aes|des|camellia|chacha)[^|;]{0,200}$/,
    pattern: / -k[ \t]{1,4}(?:"([^"\n]+)|'([^'\n]+)|([^\s"'-][^\s"']*))/y,
    check: isGiven,
  },
  {
    // Without a file where the line is only printed (-n).
    id: 'command_password',
    anchors: ['htpasswd '],
    pattern:
      /htpasswd[ \t]{1,4}(?=(?:-\S{1,8}[ \t]{1,4}){0,3}-[A-Za-z]{0,6}b)(?:-[A-Za-z]{1,8}[ \t]{1,4}(?:\d{1,3}[ \t]{1,4})?){1,4}(?:(?<=-[A-Za-z]{0,6}n[^\n]{0,20})|[^\s-]\S{0,200}[ \t]{1,4})[^\s-]\S{0,100}[ \t]{1,4}(?:"([^"\n]+)|'([^'\n]+)|([^\s"'|;&<>]+))/y,
    check: isGiven,
  },
  {
    id: 'command_password',
    anchors: ['pass:'],
    pattern: /(?<=-pass(?:in|out)?[ \t]{1,4}["']?)pass:([^\s"']+)/y,
    check: isGiven,
  },
  {
    id: 'secure_string',
    anchors: ['ConvertTo-SecureString'],
    pattern: /ConvertTo-SecureString[ \t]{1,4}(?:-String[ \t]{1,4})?["']([^"'\n]+)/iy,
    check: isGiven,
  },
  {
    id: 'netrc_password',
    anchors: ['login '],
    pattern: /login[ \t]{1,4}\S{1,100}\s{1,20}password[ \t]{1,4}([^\s"']+)/y,
    check: isGiven,
  },
  {
    id: 'pgpass_password',
    anchors: [':54', ':*:'],
    pattern: /(?<=^[\w.*-]{1,80}):(?:54\d{2}|\*):[\w*-]{1,63}:[\w*-]{1,63}:([^\s:]+)$/my,
    check: isGiven,
  },
  {
    // As the second argument or the third, where those are always what the secret is.
    id: 'call_argument',
    anchors: ['jwt.sign(', 'jwt.verify(', 'jwt.encode(', 'jwt.decode('],
    pattern:
      /jwt\.(?:sign|verify|encode|decode)\((?:\{[^{}\n]{0,200}\}|[^,(){}'"\n]{1,80}),[ \t]{0,4}["']([^"'\n]+)(?=["'])/y,
    check: isGiven,
  },
  {
    id: 'call_argument',
    anchors: ['getConnection('],
    pattern:
      /getConnection\([ \t]{0,4}["'\w][^()\n,]{0,200},[ \t]{0,4}["'][^"'\n]{1,80}["'],[ \t]{0,4}["']([^"'\n]+)(?=["'])/y,
    check: isGiven,
  },
  {
    id: 'oracle_password',
    anchors: ['oracle:thin:'],
    pattern: /oracle:thin:\w{1,60}\/(?:([^\s@"']+)(?=@)|[^\s@"']+())/y,
    check: (secret) => !isVariable(secret),
  },
];
