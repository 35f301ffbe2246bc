import type { Sample } from './redactBuilders.js';
import { filler, pem, sample, token } from './redactBuilders.js';
import { tokenSamples } from './redactTokenSamples.js';

const hex40 = filler('hex', 40);
const hex64 = filler('hex', 64);
const word20 = filler('word', 20);
const word40 = filler('word', 40);

/** At least one for every rule. */
export const samples: readonly Sample[] = [
  ...tokenSamples,
  // Blocks
  sample('private_key', ['key:\n', pem('RSA PRIVATE KEY'), '\nnext'], pem('CERTIFICATE')),
  sample('private_key', ['', pem('PRIVATE KEY', String.raw`\n`), ''], pem('PUBLIC KEY', String.raw`\n`)),
  sample('private_key', ['a ', pem('PGP PRIVATE KEY BLOCK'), ' b'], pem('PGP PUBLIC KEY BLOCK')),
  sample(
    'private_key',
    ['', pem('OPENSSH PRIVATE KEY', '\r\n    '), ''],
    `ssh-ed25519 AAAA${filler('base64', 64)} a@b`,
  ),
  token(
    'encoded_private_key',
    `LS0tLS1CRUdJTiBSU0Eg${filler('base64', 200)}`,
    'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t',
  ),
  sample(
    'putty_private_key',
    ['Private-Lines: 2', `\n${filler('base64', 64)}\n${filler('base64', 64, 2)}`, '\nPrivate-MAC: 12'],
    'Private-Lines: none',
  ),
  sample(
    'json_web_key',
    ['{"kty":"EC","x":"a","d":"', filler('word', 43), '"}'],
    `{"kty":"EC","x":"${filler('word', 43)}"}`,
  ),
  sample(
    'recovery_phrase',
    ['Seed phrase: ', 'onyx lamp river stone cloud apple horse paper glass tiger moon lake', '.'],
    'Seed phrase: twelve words.',
  ),
  sample('totp_seed', ['the OTP seed is ', filler('upper', 32), ''], 'the OTP seed is in the setup mail'),
  sample(
    'password_hash',
    ['bob:', `$2y$10$${filler('word', 53)}`, ':1'],
    'the hash begins with $2y$10$ here',
  ),
  // Headers, addresses, commands
  sample(
    'authorization_header',
    ['Authorization: Token ', hex40, '\nAccept: */*'],
    'Authorization: Bearer <token>',
  ),
  sample('bearer_token', ['use bearer ', word40, ' for it'], 'bearer token-authentication-middleware'),
  sample('basic_auth', ['sent "Basic ', btoa('bob:hunter2'), '"'], 'a basic authentication'),
  sample('cookie', ['Cookie: ', `sid=${word20}; theme=dark`, '\nHost: x'], 'Cookie: theme=dark; lang=en-US'),
  sample(
    'set_cookie',
    ['Set-Cookie: ', `sid=${word20}`, '; Path=/; HttpOnly'],
    'Set-Cookie: theme=dark; Path=/',
  ),
  sample('session_id', ['curl x?PHPSESSID=', filler('lower', 26), '&a=b'], 'PHPSESSID=none'),
  sample('request_signature', ['https://x/f?expires=1&signature=', hex64, ''], `signature=${hex64}`),
  sample('request_signature', ['?X-Amz-Signature=', hex64, '&x=1'], `signature=${hex64}`),
  sample('url_password', ['postgres://app:', 'hunter2', '@db/prod'], 'postgres://app:${PASSWORD}@db/prod'),
  sample(
    'url_password',
    ['mysql://app:', 'p@ss/w0rd?', '@db:3306/prod'],
    'https://localhost:3000/@scope/name',
  ),
  sample('url_password', ['open("app:', 'hunter2', '@tcp(db:3306)/x")'], 'open("app@tcp(db:3306)/x")'),
  sample(
    'url_token',
    ['git clone https://', hex40, '@git.example.org/a.git'],
    'https://bob@git.example.org/a.git',
  ),
  sample(
    'call_argument',
    ["jwt.sign({ id }, '", 'hunter2', "', {})"],
    'jwt.sign({ id }, process.env.JWT_SECRET, {})',
  ),
  sample(
    'call_argument',
    ['getConnection("jdbc:mysql://db/x", "bob", "', 'hunter2', '")'],
    'getConnection("jdbc:mysql://db/x", "bob", password)',
  ),
  sample(
    'oracle_password',
    ['jdbc:oracle:thin:scott/', 'tiger', '@//h:1521/x'],
    'jdbc:oracle:thin:@//h:1521/x',
  ),
  sample('curl_user', ['curl -s -u bob:', 'hunter2', ' https://x'], 'docker run -u 1000:1000 image'),
  sample(
    'curl_user',
    ["curl --user 'bob:", 'correct horse', "' https://x"],
    'curl -u "$USER:$PASS" https://x',
  ),
  sample('command_password', ['sshpass -p ', 'hunter2', ' ssh x'], 'sshpass -p $PASS ssh x'),
  sample('command_password', ['mysql -u root -p', 'hunter2', ' db'], 'mkdir -phunter2 db'),
  sample('command_password', ['redis-cli -h x -a ', 'hunter2', ''], 'ls -a hunter2'),
  sample('command_password', ['openssl rsa -passin pass:', 'hunter2', ' -in k'], 'tests pass: 12 of 12'),
  sample(
    'secure_string',
    ['ConvertTo-SecureString "', 'hunter2', '" -AsPlainText'],
    'ConvertTo-SecureString $x',
  ),
  sample('netrc_password', ['machine x login bob password ', 'hunter2', ''], 'login page password field'),
  sample('pgpass_password', ['db.example.com:5432:app:bob:', 'hunter2', '\n'], 'db.example.com:5432:app'),
  sample('command_password', ["sshpass -p '", 'hunter 2', "' ssh x"], "sshpass -p '$PASS' ssh x"),
  sample('command_password', ['redis-cli -a "', 'hunter 2', '" ping'], 'redis-cli -a "$PASS" ping'),
  sample('command_password', ['smbclient -U bob%', 'Hazel77x', ' //srv/a'], 'smbclient -U bob%$PASS //srv/a'),
  sample('command_password', ["smbclient -U 'D\\bob%", 'Hazel 77', "' //srv/a"], 'smbclient -U bob //srv/a'),
  sample('command_password', ['lftp -u bob,', 'Hazel77x', ' ftp.x.io'], 'lftp -u bob ftp.x.io'),
  sample('command_password', ['7z a -p', 'Hazel77x', ' a.7z b'], '7z a -p$PASS a.7z b'),
  sample(
    'command_password',
    ['openssl enc -aes-256-cbc -k ', 'Hazel77x', ' -in a'],
    'openssl enc -aes-256-cbc -k $PASS -in a',
  ),
  sample('command_password', ['htpasswd -bc users bob ', 'Hazel77x', ''], 'htpasswd -c users bob Hazel77x'),
  sample('command_password', ['htpasswd -nbB bob ', 'Hazel77x', ' > a'], 'htpasswd -nbB bob $PASS'),
  sample(
    'assignment',
    ['stringData:\n  host: db\n  value: ', 'Hazel77x', '\nkind: Secret'],
    'data:\n  host: db\n  value: Hazel77x',
  ),
  sample('curl_user', ['curl -u "bob:', 'correct horse', '" https://x'], 'curl -u "bob:" https://x'),
  sample('piped_password', ['echo "', 'hunter 2', '" | sudo -S apt update'], 'echo "$PASS" | sudo -S ls'),
  sample('piped_password', ["printf '%s\\n' '", 'Hazel77x', "' | sudo -kS ls"], 'echo Hazel77x | sudo tee x'),
  sample(
    'piped_password',
    ['echo ', 'Hazel77x', ' | docker login --password-stdin'],
    'echo Hazel77x | docker run -i x',
  ),
  sample('piped_password', ['echo ', 'root:Hazel77x', ' | chpasswd'], 'echo root:Hazel77x | tee x'),
  sample('piped_password', ['sudo -S ls <<< "', 'hunter 2', '"'], 'sudo ls <<< "hunter 2"'),
  sample(
    'piped_password',
    ['x --password-file <(echo ', 'Hazel77x', ') y'],
    'x --password-file <(echo $PASS) y',
  ),
  sample(
    'sql_password',
    ["ALTER USER bob WITH PASSWORD '", 'Hazel77x', "';"],
    'ALTER USER bob WITH PASSWORD :p',
  ),
  sample(
    'sql_password',
    ['CREATE USER bob IDENTIFIED BY "', 'Hazel77x', '"'],
    'it is "identified by "name" here',
  ),
  sample(
    'sql_password',
    ['CREATE USER bob IDENTIFIED BY ', 'Hazel77x', ';'],
    'rows are identified by id_77x;',
  ),
  sample(
    'sql_password',
    ["INSERT INTO users (id, name, password) VALUES (1, 'it''s, me', '", 'Hazel77x', "')"],
    "INSERT INTO users (id, name, password) VALUES (1, 'Hazel77x', ?)",
  ),
  sample(
    'sql_password',
    ["insert into a(token) values ('", 'a1b2c3d4e5', "');"],
    "insert into a(title) values ('a1b2c3d4e5');",
  ),
  sample('assignment', ['X-Gitlab-Token: ', 'Hazel77x', ''], 'X-Gitlab-Token: token'),
  sample('assignment', ['"X-Some-Key": "', 'a1b2c3d4e5', '"'], '"X-Cache-Key": "a1b2c3d4e5"'),
  sample('sql_password', ["ALTER USER bob IDENTIFIED BY '", 'hunter2', "';"], 'IDENTIFIED BY ?'),
  // By their names
  sample('assignment', ['API_KEY=', 'abc123', ' npm start'], 'API_KEY=$KEY npm start'),
  sample('mentioned_secret', ['the password is ', 'hunter2', '.'], 'the password is required.'),
  sample('mentioned_secret', ['Passwort: ', 'Hazel-77x', ''], 'Passwort: erforderlich'),
  sample('mentioned_secret', ['トークン：', 'Hazel77', ''], 'トークン：必須'),
  sample(
    'high_entropy',
    ['a secret for staging, ', filler('word', 32), ', was found'],
    `a build for staging, ${word40}, was found`,
  ),
];
