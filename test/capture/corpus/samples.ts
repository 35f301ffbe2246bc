import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filler } from './filler.js';

/*
 * Samples are text files, so that code and sessions stand in them as they are:
 *   === kind                  what follows, up to the next such line, is one sample
 *   === kind, one per line    each line that follows is a sample
 *   ‹alnum:20› ‹uuid›         filler (filler.ts), so that no secret is written down anywhere
 *   ‹=PRIVATE›                this word, cut off so that scanners of this repository do not stop at it
 *   «...»                     a secret; over several lines, each line is one
 *   ⟦...⟧                     belongs to a secret but is none: may be masked or not
 */
const SECTION = /^=== (\w+)(, one per line)?$/;
const FILLER = /‹(?:=([^›]*)|(\w+)(?::(\d+))?)›/g;

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface HarmlessSample {
  readonly kind: string;
  readonly text: string;
}

export interface SecretSample extends HarmlessSample {
  /** Each within one line. */
  readonly secrets: readonly string[];
  /** Lines that hold no part of a secret and have to stay as they are. */
  readonly plainLines: readonly Span[];
}

/** Everything a redactor has to mask, in realistic surroundings. */
export function secretsOfCorpus(): SecretSample[] {
  return samplesIn('secrets').map(({ kind, text }) => ({ kind, ...readMarks(text) }));
}

/** What looks like a secret and is none: nothing in it may be masked. */
export function harmlessOfCorpus(): HarmlessSample[] {
  return samplesIn('harmless');
}

function samplesIn(folder: string): HarmlessSample[] {
  const path = join(import.meta.dirname, folder);
  return readdirSync(path)
    .sort()
    .flatMap((file) => {
      const fill = filler(file);
      return sections(readFileSync(join(path, file), 'utf8')).map(({ kind, text }) => ({
        kind,
        text: text.replace(FILLER, (_, literal?: string, name?: string, length?: string) =>
          name === undefined ? (literal ?? '') : fill(name, Number(length ?? 0)),
        ),
      }));
    });
}

function sections(file: string): HarmlessSample[] {
  const samples: HarmlessSample[] = [];
  let kind = '';
  let perLine = false;
  let lines: string[] = [];
  const close = () => {
    if (perLine) samples.push(...lines.filter((text) => text !== '').map((text) => ({ kind, text })));
    else if (kind !== '') samples.push({ kind, text: lines.join('\n').replace(/\n+$/, '') });
    lines = [];
  };
  for (const line of file.split('\n')) {
    const section = SECTION.exec(line);
    if (section === null) {
      lines.push(line);
      continue;
    }
    close();
    kind = section[1] ?? '';
    perLine = section[2] !== undefined;
  }
  close();
  return samples;
}

function readMarks(marked: string): Omit<SecretSample, 'kind'> {
  const lines = marked
    .replace(/[«⟦][^»⟧]*[»⟧]/g, (span) => span.replaceAll('\n', `${span.slice(-1)}\n${span.charAt(0)}`))
    .split('\n');
  const secrets: string[] = [];
  const plainLines: Span[] = [];
  let start = 0;
  const clean = lines.map((line) => {
    secrets.push(...Array.from(line.matchAll(/«([^»]*)»/g), ([, secret]) => (secret ?? '').trim()));
    const text = line.replace(/[«»⟦⟧]/g, '');
    // The borders of a key block may go with the key.
    if (text !== '' && text === line && !text.includes('-----'))
      plainLines.push({ start, end: start + text.length });
    start += text.length + 1;
    return text;
  });
  return { text: clean.join('\n'), secrets: secrets.filter((secret) => secret !== ''), plainLines };
}
