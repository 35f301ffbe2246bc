import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import {
  briefProjects,
  forgetShown,
  readBrief,
  removeBrief,
  removeBriefDrafts,
  writeBrief,
} from '../capture/briefFile.js';
import type { Change } from '../core/changes.js';
import type { Engine } from '../core/engine.js';
import { codeOf, messageOf } from '../link/systemError.js';
import { describeError, type Log } from './log.js';

export interface BriefsOptions {
  readonly engine: Pick<Engine, 'brief' | 'projects'>;
  readonly storageDir: string;
  readonly log: Log;
  /** Called before anything is written or removed. */
  readonly beforeWrite: () => void;
}

/** Changes that follow each other closely are written once, in milliseconds. */
const GATHER = 100;
/** How long it is remembered which session was shown what, in seconds. */
const SHOWN_SECONDS = 7 * 24 * 3600;

/** How long the end waits for briefs that are due, in milliseconds: the store is more important. */
const LAST_BRIEFS = 200;

/** Keeps a file for each project that says what a session of it is told at its start. */
export class Briefs {
  /** Projects whose own entries have changed, and those of which little is likely to be new. */
  private readonly due = new Set<string>();
  private readonly doubtful = new Set<string>();
  /** Projects that have a file. */
  private readonly written: Set<string>;
  private writing: Promise<void> | null = null;
  private lastFailure = '';
  private begun = false;
  /** When to stop, as `performance.now` counts. */
  private deadline = Infinity;

  constructor(private readonly options: BriefsOptions) {
    this.written = new Set(briefProjects(options.storageDir));
    // The process before may have died between a change and the brief.
    for (const project of this.everyProject()) this.doubtful.add(project);
    this.start(() => {
      removeBriefDrafts(options.storageDir);
      forgetShown(options.storageDir, Date.now() / 1000 - SHOWN_SECONDS);
    });
  }

  /** What was forgotten is gone from every brief at once, whatever happens before there is a new one. */
  changed({ projects, shared, forgotten, bookkeeping }: Change): void {
    if (bookkeeping) return;
    const others = shared ? this.everyProject() : [];
    for (const project of projects) this.due.add(project);
    for (const project of others) this.doubtful.add(project);
    if (forgotten) for (const project of [...projects, ...others]) this.remove(project);
    this.start();
  }

  /** What is due is written first, as far as there is time. */
  async close(): Promise<void> {
    this.deadline = performance.now() + LAST_BRIEFS;
    await this.writing;
  }

  private everyProject(): string[] {
    return [...this.options.engine.projects(), ...this.written];
  }

  private start(first?: () => void): void {
    this.writing ??= this.write(first).finally(() => (this.writing = null));
  }

  private async write(first: () => void = () => undefined): Promise<void> {
    if (this.deadline === Infinity) await sleep(GATHER, undefined, { ref: false });
    await this.guarded(first);
    for (;;) {
      const [project] = this.due.size > 0 ? this.due : this.doubtful;
      if (project === undefined || performance.now() > this.deadline) return;
      this.due.delete(project);
      this.doubtful.delete(project);
      await this.guarded(() => this.writeOne(project));
      await nextTurn();
    }
  }

  private async writeOne(project: string): Promise<void> {
    const { engine, storageDir, beforeWrite } = this.options;
    const brief = await engine.brief(project);
    // Changed meanwhile: what was forgotten must not come back, also where there is no time for another one.
    if (this.due.has(project) || this.doubtful.has(project)) return;
    if (JSON.stringify(readBrief(storageDir, project)) === JSON.stringify(brief)) return;
    beforeWrite();
    if (brief.items.length === 0) {
      removeBrief(storageDir, project);
      this.written.delete(project);
    } else {
      // Once only: a folder that goes is being deleted with all the rest, which this must not hinder.
      writeBrief(storageDir, brief, !this.begun);
      this.begun = true;
      this.written.add(project);
    }
  }

  private remove(project: string): void {
    const { storageDir, beforeWrite } = this.options;
    try {
      beforeWrite();
      removeBrief(storageDir, project);
    } catch (error) {
      this.failed(error);
    }
  }

  /** A brief is a convenience: that it cannot be written stops nothing. */
  private async guarded(act: () => void | Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.failed(error);
    }
  }

  /** It is enough to say the same once; the system's messages name another file each time. */
  private failed(error: unknown): void {
    const kind = codeOf(error) || messageOf(error);
    if (kind !== this.lastFailure) this.options.log.write('WARNING', `brief: ${describeError(error)}`);
    this.lastFailure = kind;
  }
}
