import * as vscode from 'vscode';

/** As many ids as one call of a tool takes. */
const BATCH = 1000;
/** From so many on it is worth to show how far it is. */
const MANY = 200;

/** Shows that something takes a while. Resolves to null where the user had it cancelled. */
export async function longWork<Result>(
  title: string,
  work: (signal: AbortSignal, report: (message: string) => void) => Promise<Result>,
): Promise<Result | null> {
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await vscode.window.withProgress(options, async (progress, token) => {
    const cancelling = new AbortController();
    const cancelled = new Promise<null>((resolve) => {
      token.onCancellationRequested(() => {
        cancelling.abort();
        resolve(null);
      });
    });
    const done = work(cancelling.signal, (message) => progress.report({ message }));
    // What fails because it was cancelled is nobody's error.
    done.catch(() => undefined);
    return await Promise.race([done, cancelled]);
  });
}

/**
 * Does something to many ids, some at a time, and says how far it is. Cancelling leaves out what was not begun. Gives
 * everything the calls gave.
 */
export async function inBatches(
  title: string,
  ids: readonly string[],
  act: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  const done: string[] = [];
  if (ids.length < MANY) return [...(await act(ids))];
  await longWork(title, async (signal, report) => {
    for (let start = 0; start < ids.length && !signal.aborted; start += BATCH) {
      report(vscode.l10n.t('{0} of {1}', start, ids.length));
      done.push(...(await act(ids.slice(start, start + BATCH))));
    }
  });
  return done;
}
