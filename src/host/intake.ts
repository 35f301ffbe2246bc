import { mkdirSync, renameSync, rmSync, statSync, watch, type FSWatcher } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { claim, damagedOf, inboxOf, readSpoolDocument, removeDrafts, spoolFiles } from '../capture/spool.js';
import type { Engine } from '../core/engine.js';
import { MemoryError } from '../core/errors.js';
import { codeOf, messageOf } from '../link/systemError.js';
import { describeError, type Log } from './log.js';

export interface IntakeOptions {
  readonly engine: Pick<Engine, 'ingest'>;
  readonly storageDir: string;
  readonly log: Log;
  /** Called before anything is written or removed. */
  readonly beforeWrite: () => void;
  /** Called when the store could not write. */
  readonly storeFailed: () => void;
}

/** How often the inbox is looked at beside the watching, which some disks do without a word, in milliseconds. */
const LOOK = 1000;

/** Takes what hooks have written into memory: at once, in order of age, each file as often as it takes. */
export class Intake {
  private readonly inbox: string;
  private readonly timer: NodeJS.Timeout;
  private watcher: FSWatcher | null = null;
  /** Inode of the folder that is watched. */
  private watched: number | undefined;
  private running: Promise<void> | null = null;
  private again = false;
  private stopped = false;
  /** Of the last look; null where it went well. */
  private lastFailure: string | null = null;

  constructor(private readonly options: IntakeOptions) {
    this.inbox = inboxOf(options.storageDir);
    try {
      removeDrafts(this.inbox);
    } catch (error) {
      this.failed(error);
    }
    this.timer = setInterval(() => this.look(), LOOK).unref();
    this.look();
  }

  /** Ends after the file under way. What is left waits for the next start. */
  async close(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.watcher?.close();
    await this.running;
  }

  private look(): void {
    try {
      this.watch();
    } catch (error) {
      this.failed(error);
    }
    if (this.running) {
      this.again = true;
      return;
    }
    this.running = this.takeAll()
      .catch((error: unknown) => this.failed(error))
      .finally(() => {
        this.running = null;
        if (this.again && !this.stopped && this.lastFailure === null) {
          this.again = false;
          this.look();
        }
      });
  }

  /** The folder may come later, the first hook makes it; and it may go and come again, which watching does not tell. */
  private watch(): void {
    const folder = statSync(this.inbox, { throwIfNoEntry: false });
    const lost = () => {
      this.watcher?.close();
      this.watcher = null;
    };
    if (folder?.ino !== this.watched) lost();
    this.watched = folder?.ino;
    if (!folder || this.watcher || this.stopped) return;
    try {
      this.watcher = watch(this.inbox, { persistent: false }, (event) => {
        // What failed waits for the timer: a claim is an event itself, so there would be no end of them.
        if (event === 'rename' && this.lastFailure === null) this.look();
      }).on('error', lost);
    } catch {
      this.watcher = null;
    }
  }

  private async takeAll(): Promise<void> {
    let failure: unknown = null;
    for (const name of spoolFiles(this.inbox)) {
      if (this.stopped) return;
      this.options.beforeWrite();
      // One that fails does not keep out those behind it.
      await this.take(join(this.inbox, name)).catch((error: unknown) => (failure ??= error));
      await nextTurn();
    }
    if (failure === null) this.lastFailure = null;
    else this.failed(failure);
  }

  private async take(path: string): Promise<void> {
    const { engine, log } = this.options;
    const claimed = claim(path);
    if (claimed === null) return; // A hook is merging it into a newer one.
    const found = readSpoolDocument(claimed);
    if ('damaged' in found) {
      this.setAside(claimed);
      log.write('WARNING', `inbox: ${basename(claimed)} was set aside: ${found.damaged}`);
      return;
    }
    await engine.ingest(found.session);
    rmSync(claimed, { force: true });
  }

  private setAside(path: string): void {
    const folder = damagedOf(this.options.storageDir);
    mkdirSync(folder, { mode: 0o700, recursive: true });
    renameSync(path, join(folder, basename(path)));
  }

  /**
   * The files stay and are tried again at the next look; it is enough to say so once. The system's messages name the
   * file, which has another name each time.
   */
  private failed(error: unknown): void {
    const kind = codeOf(error) || messageOf(error);
    if (kind !== this.lastFailure) this.options.log.write('ERROR', `inbox: ${describeError(error)}`);
    this.lastFailure = kind;
    if (error instanceof MemoryError && error.reason === 'storage') this.options.storeFailed();
  }
}
