import { uniqueHex } from '../capture/folders.js';
import { briefText, liveItems } from '../capture/briefText.js';
import { noteShown, readBrief, wasShown } from '../capture/briefFile.js';
import type { Brief } from '../core/brief.js';
import { GLOBAL_PROJECT } from '../core/memory.js';
import { identifyProject } from '../project/project.js';
import { NOTHING_TO_SAY, textField, type HookContext, type HookOutcome } from './hookContext.js';

/** Ways a session goes on with what it was told already. */
const GOES_ON = ['resume', 'compact'];

/** What the session is told of its project: the brief the host has prepared, if there is one. */
export function sessionStart({ payload, config, directory, home, now }: HookContext): HookOutcome {
  const { storageDir, namespace } = config;
  const { key } = identifyProject({ namespace, directory, home });
  const brief = readBrief(storageDir, key) ?? memoriesOnly(readBrief(storageDir, GLOBAL_PROJECT));
  if (!brief) return NOTHING_TO_SAY;
  const items = JSON.stringify([key, liveItems(brief, now)]);
  const sessionId = textField(payload, 'session_id');
  if (GOES_ON.includes(textField(payload, 'source')) && wasShown(storageDir, sessionId, items)) {
    return NOTHING_TO_SAY;
  }
  const text = briefText(brief, { now, marker: markerFor(items) });
  if (text === '') return NOTHING_TO_SAY;
  return {
    text,
    delivered: () => {
      if (sessionId !== '') noteShown(storageDir, sessionId, items);
    },
  };
}

/** For a project without a brief of its own: of what is global only the memories, sessions are nobody else's business. */
function memoriesOnly(brief: Brief | null): Brief | null {
  return brief && { ...brief, episodes: 0, items: brief.items.filter(({ kind }) => kind === 'memory') };
}

/** 16 hex digits that do not occur in `text`, which so cannot end its fence, whoever wrote it. */
function markerFor(text: string): string {
  for (;;) {
    const marker = uniqueHex();
    if (!text.includes(marker)) return marker;
  }
}
