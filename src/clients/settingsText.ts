import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { ClientError } from './clientError.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * Changes the text of a settings file and leaves its byte order mark alone; null stands for a missing file.
 * Throws a {@link ClientError} for bytes that are not UTF-8. Returns `bytes` itself where nothing changed.
 */
export function changeText(bytes: Buffer | null, file: string, change: (text: string) => string): Buffer {
  const { mark, text } = decode(bytes, file);
  const after = change(text);
  return bytes !== null && after === text ? bytes : Buffer.from(mark + after);
}

/** The object a settings file holds; null where it is missing or blank. Throws a {@link ClientError} for others. */
export function rootOf(bytes: Buffer | null, file: string): Node | null {
  const { text } = decode(bytes, file);
  return text.trim() === '' ? null : readRoot(text, file);
}

/**
 * The object a settings text holds. Comments and trailing commas are fine: people write them.
 * Throws a {@link ClientError} with file and line for anything else.
 */
export function readRoot(text: string, file: string): Node {
  const faults: ParseError[] = [];
  const root = treeOf(text, file, faults);
  const [fault] = faults;
  if (fault !== undefined) {
    const words = printParseErrorCode(fault.error).replace(/(?<=[a-z])(?=[A-Z])/g, ' ');
    throw refusal(text, fault.offset, file, `is not valid JSON (${words.toLowerCase()})`);
  }
  if (root?.type !== 'object') throw refusal(text, root?.offset ?? 0, file, 'does not hold a JSON object');
  return root;
}

/** The parser calls itself for each level of nesting. */
function treeOf(text: string, file: string, faults: ParseError[]): Node | undefined {
  try {
    return parseTree(text, faults, { allowTrailingComma: true });
  } catch (error) {
    if (error instanceof RangeError) throw refusal(text, 0, file, 'is nested too deeply');
    throw error;
  }
}

/** The value of the property that counts where a name is there more than once: the last. */
export function valueOf(object: Node, name: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === name)?.children?.[1];
}

export function refusal(text: string, offset: number, file: string, problem: string): ClientError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return new ClientError(
    `${file} ${problem}: line ${before.length}, column ${column}. ` +
      'Nothing was changed. Correct the file there and run the command again.',
  );
}

/** The text of a file, apart from its byte order mark; null stands for a missing file. */
function decode(bytes: Buffer | null, file: string): { readonly mark: string; readonly text: string } {
  try {
    const whole = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes ?? Buffer.alloc(0));
    const mark = whole.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    return { mark, text: whole.slice(mark.length) };
  } catch (cause) {
    throw new ClientError(
      `${file} is not UTF-8 text. Nothing was changed. Save it as UTF-8 and run the command again.`,
      { cause },
    );
  }
}
