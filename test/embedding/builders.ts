import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { EventEmitter } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ChildEmbedder, type ChildEmbedderOptions } from '../../src/embedding/childEmbedder.js';
import { defaultModelsRoot } from '../../src/embedding/modelFiles.js';

export const MODEL = 'Xenova/all-MiniLM-L6-v2';
export const BUNDLE = fileURLToPath(new URL('../../dist/embedder.js', import.meta.url));

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}

export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'embedding-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A models root of its own that holds a copy of the shipped model. */
export function copiedModels(t: TestContext): string {
  const root = temporaryFolder(t);
  cpSync(join(defaultModelsRoot(), MODEL), join(root, MODEL), { recursive: true });
  return root;
}

/** An embedder that is closed after the test, and a way to wait for a line of its log. */
export function embedderFor(t: TestContext, options: Partial<ChildEmbedderOptions> = {}) {
  const lines = new EventEmitter();
  const embedder = new ChildEmbedder({
    modelName: 'all-MiniLM-L6-v2',
    script: BUNDLE,
    log: (line) => lines.emit('line', line),
    ...options,
  });
  t.after(() => embedder.close());
  const logged = (part: string): Promise<void> =>
    new Promise((resolve, reject) => {
      // The timer also keeps this process alive, which an idle child must not.
      const alarm = setTimeout(() => reject(new Error(`the log never said "${part}"`)), 30_000);
      lines.on('line', (line: string) => {
        if (!line.includes(part)) return;
        clearTimeout(alarm);
        resolve();
      });
    });
  return { embedder, logged };
}

/** Process id of an embedder's child. */
export function pidOf(embedder: ChildEmbedder): number {
  if (embedder.pid === undefined) throw new Error('the embedder has no child');
  return embedder.pid;
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    // ESRCH: there is no such process.
    return false;
  }
}

export function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  if (a === undefined || b === undefined || a.length !== b.length)
    throw new Error('not two vectors of one space');
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

/** English text of so many different-looking words. */
export function words(count: number): string {
  const stock =
    'the server keeps one memory for every project and finds old answers by their meaning again'.split(' ');
  return Array.from({ length: count }, (_, index) => stock[(index * 7) % stock.length]).join(' ');
}
