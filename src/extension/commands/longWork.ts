import * as vscode from 'vscode';
import { inBatches } from './batches.js';

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

/** Does something to many ids as `inBatches` does it, and says how far it is where that takes a while. */
export async function withMany(
  title: string,
  ids: readonly string[],
  act: (ids: readonly string[]) => Promise<readonly string[]>,
): Promise<string[]> {
  if (ids.length < MANY) return [...(await act(ids))];
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return await vscode.window.withProgress(options, (progress, token) =>
    inBatches(ids, {
      act,
      isCancelled: () => token.isCancellationRequested,
      report: (done) => progress.report({ message: vscode.l10n.t('{0} of {1}', done, ids.length) }),
    }),
  );
}
