import { join } from 'node:path';
import { mergeTurns, notAfter, sameTurns, type CapturedSession } from '../core/episode.js';
import { sha256 } from '../project/digest.js';
import { makePrivateFolder, unlinkQuietly } from './folders.js';
import { sessionName } from './sessionName.js';
import { claim, nameOfItsOwn, publish } from './spool.js';
import { parseSpool, readSpool, spoolText } from './spoolDocument.js';

/** Each one is lost to another process that published something. */
const ATTEMPTS = 50;

/**
 * Adds what was captured to the session's document in the inbox, which is made where it is missing; a turn that is
 * there already, unchanged, writes nothing. What is written survives the end of this process and of others; the folder
 * is not synced, so a loss of power may take the newest turn with it. Throws the system's error; what was there before
 * is there still then, at times under another name.
 */
export function spoolTurns(inbox: string, captured: CapturedSession): void {
  const checked = parseSpool(spoolText(captured));
  if ('damaged' in checked) throw new Error(`The session could not be kept: ${checked.damaged}.`);
  makePrivateFolder(inbox);
  merge(inbox, checked.session);
}

function merge(inbox: string, session: CapturedSession): void {
  let path = join(inbox, `${sessionName(session.sessionId)}.json`);
  let { turns } = session;
  const now = Math.max(...turns.map(({ revisedAt }) => revisedAt));
  /** Files whose turns are among `turns`, to be removed when these are published. */
  const claimed: string[] = [];
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const present = readSpool(path);
    if (present && 'session' in present) {
      if (!isSame(present.session, session)) {
        const other = otherPath(inbox, session);
        if (other === path) break;
        path = other;
        continue;
      }
      const known = present.session.turns;
      if (claimed.length === 0 && sameTurns(mergeTurns(known, turns), known)) return;
    }
    if (present) {
      const taken = claim(path);
      if (taken === null) continue;
      // Not what was read above: meanwhile somebody may have published more. A damaged one is left for the host.
      const known = readSpool(taken);
      if (known && 'session' in known && isSame(known.session, session)) {
        turns = mergeTurns(notAfter(known.session.turns, now), turns);
        claimed.push(taken);
      }
    }
    if (publish(path, spoolText({ ...session, turns }))) {
      claimed.forEach(unlinkQuietly);
      return;
    }
  }
  // Every name in the inbox is a document for the host, so another one serves as well.
  publish(nameOfItsOwn(path), spoolText({ ...session, turns }));
  claimed.forEach(unlinkQuietly);
}

function isSame(a: CapturedSession, b: CapturedSession): boolean {
  return a.sessionId === b.sessionId && a.project.key === b.project.key;
}

/** For a session that has its name in common with one of another project, or with one in other letter case. */
function otherPath(inbox: string, { sessionId, project }: CapturedSession): string {
  const mark = sha256(JSON.stringify([project.key, sessionId])).slice(0, 8);
  return join(inbox, `${sessionName(sessionId)}-${mark}.json`);
}
