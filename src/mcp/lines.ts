import type { Stream } from 'node:stream';

/** What a program says, line by line, also where a line or a letter of it comes in pieces. Empty lines are left out. */
export function linesIn(stream: Stream | null, onLine: (line: string) => void): { end(): void } {
  const decoder = new TextDecoder();
  let rest = '';
  const take = (text: string) => {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') onLine(line);
  };
  stream?.on('data', (piece: Buffer) => take(decoder.decode(piece, { stream: true })));
  return {
    /** Nothing more comes: what has no line end yet is a line. */
    end: () => take(`${decoder.decode()}\n`),
  };
}
