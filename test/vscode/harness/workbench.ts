import type { BrowserContext } from 'playwright-core';
import { startBrowser } from './browser.js';
import { endServer, installExtensions, startServer, type EditorServer } from './editorServer.js';
import { HostListener } from './extensionHost.js';
import { extensionLog, installedExtensions } from './extensionLog.js';
import { onExit, processesWith, WORKBENCH_VARIABLE, type MarkedProcess } from './processes.js';
import { until } from './waiting.js';
import { openWindow, type Window } from './window.js';
import { clearPlace, makePlace, type WorkbenchOptions, type WorkbenchPlace } from './workbenchPlace.js';

/** How long the processes of a workbench may take to end by themselves, in seconds. */
const FAREWELL = 3;

/** A running editor: one profile of one user, with its windows. */
export class Workbench {
  private closed: Promise<readonly MarkedProcess[]> | undefined;

  private constructor(
    private readonly place: WorkbenchPlace,
    private readonly hosts: HostListener,
    private readonly server: EditorServer,
    private readonly browser: BrowserContext,
    /** The first one; others are opened with `openWindow`. */
    readonly window: Window,
    /** Kills what is left and removes the folders. */
    private readonly clear: () => void,
  ) {}

  get home(): string {
    return this.place.home;
  }

  /** Of everything that is started for it. */
  get env(): Readonly<Record<string, string>> {
    return this.place.env;
  }

  /** What the windows have open; undefined when they were started without a folder. */
  get folder(): string | undefined {
    return this.place.folder;
  }

  /** Starts everything and waits until the first window's extension host runs: about six seconds. */
  static async start(options: WorkbenchOptions = {}): Promise<Workbench> {
    const place = makePlace(options);
    const forget = onExit(() => clearPlace(place));
    const hosts = await HostListener.listen(place.bridge);
    const clear = () => {
      hosts.close();
      clearPlace(place);
      forget();
    };
    try {
      const { vsix = [], trusted = true } = options;
      if (vsix.length > 0) await installExtensions(place, vsix);
      const [server, browser] = await Promise.all([startServer(place, trusted), startBrowser(place)]);
      const page = browser.pages()[0] ?? (await browser.newPage());
      const window = await openWindow({ page, hosts, address: server.address, folder: place.folder });
      return new Workbench(place, hosts, server, browser, window, clear);
    } catch (error) {
      clear();
      throw error;
    }
  }

  /** Another window of the same profile. Default: on the same folder. */
  async openWindow(folder = this.folder): Promise<Window> {
    const page = await this.browser.newPage();
    return openWindow({ page, hosts: this.hosts, address: this.server.address, folder });
  }

  /** Installs .vsix files; they run in windows that are opened or reloaded from now on. */
  async install(...vsix: readonly string[]): Promise<void> {
    await installExtensions(this.place, vsix);
  }

  /** What the logs say about the installed extensions, and what these say in theirs. */
  extensionLog(): string[] {
    return extensionLog(this.place.profile, installedExtensions(this.place.extensions));
  }

  /** Every process that was started for this workbench, directly or not, and still runs. */
  processes(): MarkedProcess[] {
    return processesWith(WORKBENCH_VARIABLE, this.place.id);
  }

  /** Closes all windows and ends the server. What outlives them by three seconds is killed and given back. */
  close(): Promise<readonly MarkedProcess[]> {
    this.closed ??= this.end();
    return this.closed;
  }

  private async end(): Promise<readonly MarkedProcess[]> {
    await this.browser.close().catch(() => undefined);
    endServer(this.server);
    await until('all processes have ended', () => this.processes().length === 0, FAREWELL).catch(
      () => undefined,
    );
    const survivors = this.processes();
    this.clear();
    return survivors;
  }
}
