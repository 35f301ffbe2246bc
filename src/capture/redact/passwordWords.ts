/** Words for passwords outside of English. */
export const PASSWORD_WORDS = [
  'passwort',
  'kennwort',
  'zugangsdaten',
  'mot de passe',
  'contraseña',
  'senha',
  'wachtwoord',
  'lösenord',
  'hasło',
  'пароль',
  'пароля',
  'パスワード',
  '密码',
  '密碼',
  '비밀번호',
];

/** Where one of them is all of a value, the value is the label of a field. */
export const PASSWORD_LABEL = new RegExp(`^(?:${PASSWORD_WORDS.join('|')})$`, 'i');
