import type { Writable } from 'node:stream';

/** What text is shown on. */
export interface Terminal {
  readonly colours: boolean;
  /** Whether signs beyond ASCII can be shown. */
  readonly unicode: boolean;
  /** Characters in a line; null where lines are not broken. */
  readonly columns: number | null;
}

/**
 * What `output` is able to show. Colours are for terminals only, and for nobody who has set NO_COLOR
 * (https://no-color.org). Where no locale is set, and on an old Windows console, ASCII is all that is certain.
 */
export function terminalOf(
  output: Writable & { readonly isTTY?: boolean; readonly columns?: number },
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): Terminal {
  const isTerminal = output.isTTY === true;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '';
  return {
    colours: isTerminal && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
    unicode:
      platform === 'win32'
        ? Boolean(env['WT_SESSION'] ?? env['TERM_PROGRAM'])
        : platform === 'darwin'
          ? env['TERM'] !== 'dumb'
          : /utf-?8/i.test(locale) && env['TERM'] !== 'linux',
    columns: isTerminal ? (output.columns ?? null) : null,
  };
}
