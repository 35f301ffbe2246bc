import { setTimeout as sleep } from 'node:timers/promises';
import type { Hello, Refusal } from '../link/hello.js';
import { GAVE_UP, READ_ONLY } from '../link/hostOptions.js';
import { readHostFile, type HostRecord } from '../link/hostFile.js';
import { greet, type Connection } from './connection.js';
import type { Launch } from './launch.js';

/** The host could not be reached; the message says why and what to do. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';

  constructor(
    message: string,
    /** Whether the storage directory can only be read: a host cannot be had there, but memory can. */
    readonly readOnly = false,
  ) {
    super(message);
  }
}

export interface ReachOptions {
  readonly storageDir: string;
  /** Made when it is sent: it names what is open at that time. */
  readonly hello: (token: string) => Hello;
  /** @param dead token of the host that was found dead, or null */
  readonly launch: (dead: string | null) => Launch;
  /** Whether to let somebody else's host come up for a while before starting one. */
  readonly patient: boolean;
  readonly times?: ReachTimes;
}

/** In milliseconds. */
export interface ReachTimes {
  /** How long a host may take to come up or to answer. */
  readonly deadline: number;
  /** How long somebody else's host may take to come up before one is started. */
  readonly patience: number;
}

const TIMES: ReachTimes = { deadline: 10_000, patience: 3_000 };
const PAUSE = 20;
/** A host that has just come up is given so long to answer, however little of the deadline is left. */
const LEAST_WAIT = 1000;
/** Between two hosts that both gave way to another process. */
const RELAUNCH = 500;
const WAY_OUT = 'Or run subconscious-mcp with --standalone, on a folder of its own.';

/**
 * Finds the host of a storage directory, or starts it. Rejects with {@link Unreachable} as soon as it is certain that
 * there will be none, at the latest after ten seconds.
 */
export async function reach(options: ReachOptions): Promise<Connection> {
  const { times = TIMES } = options;
  const start = performance.now();
  const left = () => times.deadline - (performance.now() - start);
  const search = new Search({ ...options, times }, start);
  try {
    for (;;) {
      const connection = await search.step(left());
      if (connection) return connection;
      if (left() <= 0) throw search.failure();
      await sleep(PAUSE);
    }
  } finally {
    search.end();
  }
}

class Search {
  private dead: string | null = null;
  private refused: { why: Refusal; message: string } | null = null;
  private doubt = '';
  private silent: HostRecord | null = null;
  private launch: Launch | null = null;
  private words: string | null = null;
  private crashes = 0;
  private launchFrom: number;

  constructor(
    private readonly options: Required<ReachOptions>,
    start: number,
  ) {
    this.launchFrom = start + (options.patient ? options.times.patience : 0);
  }

  async step(left: number): Promise<Connection | null> {
    // From before the look at the record: a host that made way for another one has seen that one's.
    const { words } = this;
    const record = await readHostFile(this.options.storageDir);
    if (record && record.token !== this.dead) {
      const found = await this.greet(record, left);
      if (found) return found;
      if (this.silent) throw this.failure();
    }
    if (words !== null) this.launchEnded(words);
    if (this.launch === null && performance.now() >= this.launchFrom) this.start();
    return null;
  }

  end(): void {
    this.launch?.release();
  }

  /** Why it did not work, once no time is left. */
  failure(): Unreachable {
    const { silent, refused, options } = this;
    if (silent) {
      return new Unreachable(
        `The memory process (pid ${silent.pid}) does not answer. If it was stopped, continue it; ` +
          `if it hangs, end process ${silent.pid}: nothing that was acknowledged is lost. ${WAY_OUT}`,
      );
    }
    if (refused)
      return new Unreachable(`The memory process refuses this client: ${refused.message} ${WAY_OUT}`);
    return new Unreachable(
      `No memory process for ${options.storageDir} came up within ${options.times.deadline / 1000} seconds. ` +
        `${this.doubt === '' ? '' : `${this.doubt} `}Try again; the log in .subconscious-mcp/logs of the home folder may say why. ${WAY_OUT}`,
    );
  }

  private async greet(record: HostRecord, left: number): Promise<Connection | null> {
    let greeting;
    try {
      greeting = await greet(record, this.options.hello(record.token), Math.max(left, LEAST_WAIT));
    } catch (error) {
      // No place where a host of ours could listen: a leftover, or a copy from elsewhere.
      this.dead = record.token;
      this.doubt = error instanceof Error ? error.message : String(error);
      return null;
    }
    switch (greeting.kind) {
      case 'welcome':
        return greeting.connection;
      case 'gone':
        this.dead = record.token;
        return null;
      case 'silent':
        this.silent = record;
        return null;
      case 'refused': {
        const { word } = greeting;
        this.dead = record.token;
        if (word.why === 'retiring') {
          // It ends for somebody, who starts the next one; of many versions each would end the other's host otherwise.
          const patience = word.yours === true ? 0 : this.options.times.patience;
          this.launchFrom = performance.now() + patience;
          return null;
        }
        this.refused = word;
        // What another version says no to, it will say no to again.
        if (word.why === 'protocol') throw this.failure();
        return null;
      }
      case 'ended':
        this.doubt = `Connecting to its socket failed: ${greeting.reason}.`;
        return null;
    }
  }

  private start(): void {
    const launch = this.options.launch(this.dead);
    this.launch = launch;
    void launch.gaveUp.then((words) => {
      if (this.launch === launch) this.words = words;
    });
  }

  private launchEnded(words: string): void {
    this.words = null;
    this.launch?.release();
    this.launch = null;
    this.launchFrom = performance.now() + RELAUNCH;
    const reason = words.includes(GAVE_UP) ? words.slice(words.indexOf(GAVE_UP) + GAVE_UP.length) : null;
    if (reason?.startsWith(READ_ONLY)) throw new Unreachable(reason.slice(READ_ONLY.length), true);
    if (reason === null) {
      // It made way for another one, whatever warnings Node printed meanwhile; or it crashed.
      if (words !== '') this.crashes += 1;
      if (this.crashes < 2) return;
    }
    const sentences = [reason ?? words, this.doubt].filter(Boolean).join(' ');
    throw new Unreachable(`The memory process could not start. ${sentences} ${WAY_OUT}`);
  }
}
