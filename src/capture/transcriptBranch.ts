import { filled, parseLine, type JsonObject } from './transcriptLine.js';

/** The key as it stands in every line that has a parent, or could have one. */
const LINK = Buffer.from('"parentUuid"');
const BROKEN_OFF = Buffer.from('[Request interrupted');

/** How lines begin that say nothing: attachments but one kind, and the results of tools. */
const SILENT = new RegExp(
  '^{"parentUuid": ?"([\\w-]+)", ?"isSidechain": ?false, ?(?:' +
    '"attachment": ?{"type": ?"(?!queued_command")|' +
    '(?:"promptId": ?"[\\w-]+", ?)?"type": ?"user", ?"message": ?{"role": ?"user", ?' +
    '"content": ?\\[{(?:"tool_use_id": ?"[\\w-]+", ?)?"type": ?"tool_result")',
);
/** Bytes in which such a beginning ends. */
const BEGINNING = 512;

/**
 * The lines of the conversation as it is now, newest first, out of all `lines`, newest first. They are found by their
 * parents, from the newest line that has an id and is no subagent's: a branch that was taken back stays in the file.
 * Lines of megabytes are usual. So only those that hold the bytes of the id looked for are parsed, and of these
 * not the ones that are known to say nothing by how they begin; they are left out.
 *
 * Where no line is linked (other writers), or a parent is not there (clients name parents they never wrote; or it
 * lies before what is read), what is left is taken in the order of the file.
 */
export function* activeBranch(lines: Iterable<Buffer>): Generator<JsonObject, void, undefined> {
  /** Null while the newest line is looked for. */
  let wanted: string | null = null;
  let sought = LINK;
  let passed: Buffer[] = [];
  for (const bytes of lines) {
    const at = bytes.indexOf(sought);
    let parent: string | null = wanted === null || at === -1 ? null : parentOfSilent(bytes, at);
    if (parent === null) {
      const line = at === -1 ? null : parseLine(bytes);
      if (line === null || (wanted === null ? !isLinked(line) : line['uuid'] !== wanted)) {
        passed.push(bytes);
        continue;
      }
      if (wanted === null && line['isSidechain'] === true) continue;
      yield line;
      parent = parentOf(line);
      if (parent === null) return;
    }
    passed = [];
    wanted = parent;
    sought = Buffer.from(`"${parent}"`);
  }
  for (const bytes of passed) {
    const line = parseLine(bytes);
    if (line !== null) yield line;
  }
}

/** The parent of a line that says nothing, with its own id at `at`; null where it must be parsed to know. */
function parentOfSilent(bytes: Buffer, at: number): string | null {
  if (!/"uuid": ?$/.test(bytes.toString('latin1', Math.max(0, at - 8), at))) return null;
  const parent = SILENT.exec(bytes.toString('latin1', 0, BEGINNING))?.[1] ?? null;
  return parent !== null && bytes.includes(BROKEN_OFF) ? null : parent;
}

function isLinked(line: JsonObject): boolean {
  return filled(line['uuid']) !== null && (line['parentUuid'] === null || parentOf(line) !== null);
}

/** A conversation that was compacted begins anew, with no parent but a logical one. */
function parentOf(line: JsonObject): string | null {
  return filled(line['parentUuid']) ?? filled(line['logicalParentUuid']);
}
