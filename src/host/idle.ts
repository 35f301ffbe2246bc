/** Calls `act` when nothing restarted it for so long, in milliseconds. Never keeps the process alive. */
export function idleTimer(milliseconds: number, act: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    stop,
    restart() {
      stop();
      timer = setTimeout(act, milliseconds);
      timer.unref();
    },
  };
}
