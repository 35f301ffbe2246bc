import { sha256 } from '../project/digest.js';

const SAFE = /^[A-Za-z0-9_-]{1,100}$/;
/** Names that mean a device on Windows, whatever follows after a dot. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/i;

/** What a session's files are called, without an ending: one plain file name on every system, never empty. */
export function sessionName(sessionId: string): string {
  if (SAFE.test(sessionId) && !DEVICE.test(sessionId)) return sessionId;
  const readable = sessionId.replace(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60);
  return `${readable}-${sha256(sessionId).slice(0, 16)}`;
}
