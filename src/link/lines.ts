/** Longest line taken, in bytes. */
export const MAX_LINE = 16 * 1024 * 1024;
/** Kept of each end of a longer line, to find the id its sender waits for. */
const EDGE = 1024;
/** So many chunks of a line are put together into one: a small one costs more than its bytes. */
const CHUNKS = 1024;
const NEWLINE = 0x0a;
const NOTHING = Buffer.alloc(0);

/** A line without the white space around it, or what is known of one over the limit: its bytes and its id. */
export type Line =
  { readonly text: string } | { readonly oversize: number; readonly id: string | number | null };

/** What the sender of a line over `MAX_LINE` is told. */
export function tooLong(bytes: number): string {
  return `The line has ${bytes} bytes, more than the limit of 16 MiB; it was skipped. Send less in one message.`;
}

/** Turns chunks into lines. Blank lines are left out; of a line over the limit only its two ends are kept. */
export class LineSplitter {
  /** The line so far: what was put together, then the chunks since. */
  private parts: Buffer[] = [];
  private chunks: Buffer[] = [];
  private head = NOTHING;
  private tail = NOTHING;
  private length = 0;

  constructor(
    private readonly limitBytes: number,
    private readonly take: (line: Line) => void,
  ) {}

  /** The chunk is kept until the line ends that it began: it must not be written to again. */
  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end === -1) break;
      this.collect(chunk.subarray(start, end));
      this.endLine();
      start = end + 1;
    }
    if (start < chunk.length) this.collect(chunk.subarray(start));
  }

  /** Nothing more will come: a last line without its newline counts. */
  end(): void {
    if (this.length > 0) this.endLine();
  }

  private collect(bytes: Buffer): void {
    const before = this.length;
    this.length += bytes.length;
    if (this.length <= this.limitBytes) {
      this.chunks.push(bytes);
      if (this.chunks.length === CHUNKS) {
        this.parts.push(Buffer.concat(this.chunks));
        this.chunks = [];
      }
      return;
    }
    if (before <= this.limitBytes) {
      for (const kept of [...this.parts, ...this.chunks]) this.keepEnds(kept);
      this.parts = [];
      this.chunks = [];
    }
    this.keepEnds(bytes);
  }

  private keepEnds(bytes: Buffer): void {
    this.head = Buffer.concat([this.head, bytes.subarray(0, EDGE - this.head.length)]);
    this.tail = Buffer.concat([this.tail, bytes.subarray(-EDGE)]).subarray(-EDGE);
  }

  private endLine(): void {
    const { parts, chunks, head, tail, length } = this;
    this.parts = [];
    this.chunks = [];
    this.head = this.tail = NOTHING;
    this.length = 0;
    if (length > this.limitBytes) {
      this.take({ oversize: length, id: idOf(head.toString(), tail.toString()) });
      return;
    }
    const text = Buffer.concat([...parts, ...chunks])
      .toString()
      .trim();
    if (text !== '') this.take({ text });
  }
}

/** The id of a message of which only the two ends are known; clients write it first or last. */
function idOf(head: string, tail: string): string | number | null {
  const atEnd = /"id"\s*:\s*(-?\d+|"[^"\\]*")\s*}\s*$/.exec(tail);
  const atStart = /^\s*{\s*(?:"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,\s*)*"id"\s*:\s*(-?\d+|"[^"\\]*")/.exec(
    head,
  );
  const found = (atStart ?? atEnd)?.[1];
  if (found === undefined) return null;
  try {
    return JSON.parse(found) as string | number; // All that the expressions let through.
  } catch {
    // Digits and quotes are not always JSON: 007, or a tab within quotes.
    return null;
  }
}
