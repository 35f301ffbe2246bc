import { createHash } from 'node:crypto';

const DIGITS = '0123456789';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const LETTERS = LOWER + LOWER.toUpperCase();

const ALPHABETS: Readonly<Record<string, string>> = {
  digit: DIGITS,
  low: LOWER + DIGITS,
  up: LOWER.toUpperCase() + DIGITS,
  alnum: LETTERS + DIGITS,
  hex: `${DIGITS}abcdef`,
  HEX: `${DIGITS}ABCDEF`,
  b32: `${LOWER.toUpperCase()}234567`,
  b64: `${LETTERS}${DIGITS}+/`,
  url: `${LETTERS}${DIGITS}-_`,
  webpass: `${LETTERS}${DIGITS}!*-_.~`,
  pass: `${LETTERS}${DIGITS}!#%*+-=?_^~.`,
};

/** No symbol at either end: real ones rarely have it there, and it would read as punctuation. */
const FRAMED = new Set(['url', 'webpass', 'pass']);

const WORDS = (
  'falcon tiger marble rocket winter harbor lantern copper saddle meadow thunder pepper anchor velvet orchid ' +
  'glacier bishop cobalt dragon ember forest garnet hazel island jasper kestrel lumber magnet nectar onyx'
).split(' ');

/** Makes the filler a mark asks for: the name of an alphabet or shape, and how many characters or lines of it. */
export type Fill = (name: string, length: number) => string;

/** Filler that belongs to nobody and is the same on every run for the same seed. */
export function filler(seed: string): Fill {
  let drawn = 0;

  function bytes(count: number): Buffer {
    drawn += 1;
    return createHash('shake256', { outputLength: count }).update(`${seed} ${drawn}`).digest();
  }

  function characters(alphabet: string, length: number): string {
    return Array.from(bytes(length), (byte) => alphabet.charAt(byte % alphabet.length)).join('');
  }

  function framed(alphabet: string, length: number): string {
    const end = () => characters(LETTERS, 1);
    return length < 3
      ? characters(LETTERS, length)
      : `${end()}${characters(alphabet, length - 3)}${characters(DIGITS, 1)}${end()}`;
  }

  const word = () => WORDS[bytes(1).readUInt8() % WORDS.length] ?? '';
  const shapes: Readonly<Record<string, (length: number) => string>> = {
    word,
    Word: () => word().replace(/^./, (first) => first.toUpperCase()),
    uuid: () =>
      bytes(16)
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-a$4-'),
    pem: (lines) => Array.from({ length: lines }, () => characters(ALPHABETS['b64'] ?? '', 64)).join('\n'),
    basic: () => base64(`${word()}:${framed(ALPHABETS['pass'] ?? '', 14)}`),
    jwt: () =>
      [
        base64url('{"alg":"HS256","typ":"JWT"}'),
        base64url(`{"sub":"${characters(DIGITS, 8)}","name":"${word()}","iat":17${characters(DIGITS, 8)}}`),
        framed(ALPHABETS['url'] ?? '', 43),
      ].join('.'),
  };

  return (name, length) => {
    const shape = shapes[name];
    if (shape !== undefined) return shape(length);
    const alphabet = ALPHABETS[name];
    if (alphabet === undefined || length === 0) throw new Error(`no filler is called ${name}:${length}`);
    return FRAMED.has(name) ? framed(alphabet, length) : characters(alphabet, length);
  };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');
const base64url = (text: string) => Buffer.from(text).toString('base64url');
