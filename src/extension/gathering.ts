/** Calls that come close together become one. */
export interface Gathered {
  (): void;
  dispose(): void;
}

/** Acts once it has been quiet for so many milliseconds. */
export function afterQuiet(milliseconds: number, act: () => void): Gathered {
  let timer: NodeJS.Timeout | undefined;
  const call = () => {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  };
  return Object.assign(call, { dispose: () => clearTimeout(timer) });
}

/** Acts so many milliseconds after the first call, however many follow it: what never stops is heard of, too. */
export function together(milliseconds: number, act: () => void): Gathered {
  let timer: NodeJS.Timeout | undefined;
  const call = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      act();
    }, milliseconds);
  };
  return Object.assign(call, { dispose: () => clearTimeout(timer) });
}
