import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { PROGRAM } from '../builtProgram.js';
import type { Sandbox } from '../server/sandbox.js';

/** Copies the built program without the model to a folder of its own; returns the path of its front. */
export function copyBundles(box: Sandbox, name = 'program'): string {
  const root = box.folder(name);
  for (const part of ['dist', 'package.json'])
    cpSync(join(PROGRAM, part), join(root, part), { recursive: true });
  return join(root, 'dist', 'server.js');
}

/** What another release says of itself. */
export interface Release {
  readonly version: string;
  /** Of the store; default: that of this release. */
  readonly schema?: number;
}

/** A copy of the built program that takes itself for another release; returns the path of its front. */
export function release(box: Sandbox, { version, schema }: Release): string {
  const server = copyBundles(box, `release-${version}-${schema ?? 'same'}`);
  for (const bundle of ['server.js', 'host.js']) {
    const file = join(dirname(server), bundle);
    let text = readFileSync(file, 'utf8');
    text = replaceOnce(text, `version: "${packageJson.version}"`, `version: "${version}"`);
    if (schema !== undefined) text = replaceOnce(text, /\bSCHEMA = \d+;/, `SCHEMA = ${schema};`);
    writeFileSync(file, text);
  }
  return server;
}

function replaceOnce(text: string, old: string | RegExp, replacement: string): string {
  const parts = text.split(old);
  assert.equal(parts.length, 2, `${String(old)} is there ${parts.length - 1} times`);
  return parts.join(replacement);
}
