export interface Bundling {
  /** Folder of the test files. */
  readonly root: string;
  /** Test files by the process that runs them. */
  readonly processes: ReadonlyMap<string, readonly string[]>;
  /** Of a file, in milliseconds. */
  readonly timeout: number;
  readonly outdir: string;
}
export function bundleTests(options: Bundling): Promise<string[]>;
export function bundleProgram(file: string, outdir: string): Promise<string>;
