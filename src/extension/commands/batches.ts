/** As many ids as one call of a tool takes. */
const BATCH = 1000;

export interface BatchWork {
  readonly act: (ids: readonly string[]) => Promise<readonly string[]>;
  readonly isCancelled: () => boolean;
  /** Is told how many ids are done before each call. */
  readonly report: (done: number) => void;
}

/** Everything the calls gave. Cancelling leaves out what was not begun; what was is waited for. */
export async function inBatches(
  ids: readonly string[],
  { act, isCancelled, report }: BatchWork,
): Promise<string[]> {
  const given: string[] = [];
  for (let start = 0; start < ids.length && !isCancelled(); start += BATCH) {
    report(start);
    given.push(...(await act(ids.slice(start, start + BATCH))));
  }
  return given;
}
