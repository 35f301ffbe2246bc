import { spawnSync } from 'node:child_process';

/** Folders people have, and some they might. */
export const ODD_NAMES = [
  'plain',
  'two  words ',
  "it's",
  `"quoted" 'twice'`,
  '$HOME $(id) `id` ${x}',
  'a & b; c | d > e < f',
  '100% %PATH% !x! !!',
  '(brackets) [a-z]* ? {x,y} ~ #',
  'back\\slash\\',
  '-e -n',
  'Jürgen 記憶 🧠',
];

/** On Debian sh is dash, and bash is another program; one that is missing says so itself. */
export const SHELLS = ['sh', 'dash', 'bash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);
