import type { Readable } from 'node:stream';
import { asObject } from '../capture/smallFile.js';

export interface HookInput {
  /** What the client said of the event; nothing of it is certain. */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Why the payload is empty, for people; null where there was one, or nothing was sent. */
  readonly fault: string | null;
}

/** Bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** How long nothing may come from a stdin that is not ended, in milliseconds. */
const PATIENCE = 1000;

/** Reads one JSON object to the end of the stream. Anything else counts as an empty one. Never rejects. */
export async function readInput(open: () => Readable & { readonly isTTY?: boolean }): Promise<HookInput> {
  let stream;
  try {
    stream = open();
  } catch {
    return { payload: {}, fault: null }; // Started without a stdin.
  }
  // People who try it out are not waited for.
  if (stream.isTTY) return { payload: {}, fault: null };
  const { bytes, fault } = await collect(stream);
  return parseInput(bytes, fault);
}

interface Collected {
  readonly bytes: Buffer;
  /** Why this may not be all. */
  readonly fault: string | null;
}

function collect(stream: Readable): Promise<Collected> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const done = (fault: string | null) => {
      clearTimeout(timer);
      resolve({ bytes: Buffer.concat(chunks), fault });
    };
    const timer = setTimeout(() => done('stdin was not ended within a second'), PATIENCE);
    stream
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > MAX_BYTES) {
          chunks.length = 0;
          stream.pause();
          done('more than 16 MiB came on stdin');
        } else {
          chunks.push(chunk);
          timer.refresh();
        }
      })
      .on('end', () => done(null))
      .on('error', (error) => done(`stdin cannot be read (${error.message})`));
  });
}

function parseInput(bytes: Buffer, cut: string | null): HookInput {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (text.trim() === '') return { payload: {}, fault: cut };
  try {
    const payload = asObject(JSON.parse(text));
    return payload === null
      ? { payload: {}, fault: 'what came on stdin is no JSON object' }
      : { payload, fault: null };
  } catch {
    return { payload: {}, fault: cut ?? 'what came on stdin is not valid JSON' };
  }
}
