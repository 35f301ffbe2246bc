import { boundedTurn, mergeTurns, type CapturedSession, type Turn } from '../core/episode.js';
import { codeOf, patiently } from './folders.js';
import { asObject, readSmallFile } from './smallFile.js';

/** What a spool file holds, or what is wrong with it, for people. */
export type SpoolDocument = { readonly session: CapturedSession } | { readonly damaged: string };

const VERSION = 1;
/** Bytes; 20 turns within their limits fit, with the longest ids and names. */
const MAX_BYTES = 1024 * 1024;
/** UTF-16 units; longer than any path or id. */
const MAX_NAME = 4096;

export function spoolText({ project, directory, sessionId, turns }: CapturedSession): string {
  const content = {
    version: VERSION,
    project: { key: project.key, name: project.name },
    directory,
    session_id: sessionId,
    turns: turns.map(({ id, task, outcome, at, revisedAt, final }) => ({
      id,
      task,
      outcome,
      at,
      revised_at: revisedAt,
      final,
    })),
  };
  return `${JSON.stringify(content)}\n`;
}

/** Null where there is no such file. Throws what may pass, such as too many open files. */
export function readSpool(path: string): SpoolDocument | null {
  try {
    const text = patiently(() => readSmallFile(path, MAX_BYTES));
    return text === null ? null : parseSpool(text);
  } catch (error) {
    const damaged = damageIn(error);
    if (damaged === null) throw error;
    return { damaged };
  }
}

/** What is wrong with a file that fails to be read like this, for people; null where it may pass. */
export function damageIn(error: unknown, platform: NodeJS.Platform = process.platform): string | null {
  const code = codeOf(error);
  // On Windows a virus scanner that has the file open is answered for in the same way.
  const isForbidden = platform !== 'win32' && (code === 'EACCES' || code === 'EPERM');
  return error instanceof Error && (code === '' || isForbidden) ? error.message : null;
}

/** Turns come back within their limits, and text as any file can hold it. */
export function parseSpool(text: string): SpoolDocument {
  let content;
  try {
    content = asObject(JSON.parse(text));
  } catch {
    return { damaged: 'it is not valid JSON' };
  }
  if (content?.['version'] !== VERSION) return { damaged: `it is no document of version ${VERSION}` };
  const project = asObject(content['project']);
  const [key, name] = [nameIn(project?.['key']), nameIn(project?.['name'])];
  const [directory, sessionId] = [nameIn(content['directory']), nameIn(content['session_id'])];
  if (key === null || name === null || directory === null || sessionId === null || sessionId === '') {
    return { damaged: `its project, directory or session_id is missing, or longer than ${MAX_NAME}` };
  }
  const turns = Array.isArray(content['turns']) ? content['turns'].map(turnOf) : [null];
  if (!turns.every((turn) => turn !== null)) return { damaged: 'its turns are not what a hook writes' };
  return { session: { project: { key, name }, directory, sessionId, turns: mergeTurns([], turns) } };
}

function turnOf(value: unknown): Turn | null {
  const fields = asObject(value);
  const id = nameIn(fields?.['id']);
  const [task, outcome] = [fields?.['task'], fields?.['outcome']];
  const [at, revisedAt] = [fields?.['at'], fields?.['revised_at']];
  const final = fields?.['final'];
  if (id === null || typeof task !== 'string' || typeof outcome !== 'string') return null;
  if (!isTime(at) || !isTime(revisedAt) || typeof final !== 'boolean') return null;
  return boundedTurn({
    id,
    task: task.toWellFormed(),
    outcome: outcome.toWellFormed(),
    at,
    revisedAt,
    final,
  });
}

function nameIn(value: unknown): string | null {
  return typeof value === 'string' && value.length <= MAX_NAME ? value.toWellFormed() : null;
}

function isTime(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
