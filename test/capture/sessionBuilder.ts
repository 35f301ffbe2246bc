import type { CapturedSession, Turn } from '../../src/core/episode.js';

/** A turn of its own for each id. */
export function turn(id: string, more: Partial<Turn> = {}): Turn {
  return { id, task: `task ${id}`, outcome: `outcome ${id}`, at: 100, revisedAt: 100, final: true, ...more };
}

export function session(turns: readonly Turn[], more: Partial<CapturedSession> = {}): CapturedSession {
  const project = { key: 'path:/srv/shop', name: 'shop' };
  return { project, directory: '/srv/shop', sessionId: 'session-1', turns, ...more };
}
