import type { Drift, Stored } from '../results.js';
import { entryOf, episodeOf, type DocumentWorld } from './documentWorld.js';
import { draftSource } from './draftSource.js';
import type { MemoryContent } from './memoryDocument.js';
import type { DocumentSource } from './memoryFiles.js';
import { memorySource } from './memorySource.js';
import type { Address } from './memoryUri.js';
import { episodeDocument, reportDocument } from './reports.js';
import { episodeWords, reportWords } from './reportWords.js';

/** Where the documents come from, by kind. */
export function documentSources(world: DocumentWorld): Record<Address['kind'], DocumentSource> {
  return {
    memory: memorySource(world),
    episode: {
      read: async (id) => {
        const episode = await episodeOf(world, id);
        return forReading(episodeDocument(episode, episodeWords()), episode.stored_at);
      },
    },
    keep: draftSource(world, {
      read: async (id) => {
        const { task_text, stored_at, turns } = await episodeOf(world, id);
        const answer = turns.map(({ outcome }) => outcome).join('\n\n');
        return { task: task_text, answer, tags: [], storedAt: stored_at };
      },
      store: (id, content) =>
        world.memory.call<Stored>('keep', { entry_id: id, any_project: true, ...asked(content) }),
    }),
    split: draftSource(world, {
      read: async (id) => {
        const [entry_id, question] = JSON.parse(id) as [string, string];
        const entry = await entryOf(world, entry_id);
        return { task: question, answer: entry.answer, tags: entry.tags, storedAt: entry.stored_at };
      },
      store: (_id, content) => world.memory.call<Stored>('remember', asked(content)),
    }),
    report: {
      read: async () => {
        const drift = await world.memory.call<Drift>('drift', { reviewed: true });
        return forReading(reportDocument(drift, reportWords()));
      },
    },
    doctor: {
      read: () => Promise.resolve(forReading(world.doctorReport())),
    },
  };
}

function forReading(text: string, storedAt = 0) {
  return { text, revision: text, storedAt, readonly: true };
}

/** What the tools that store a memory are asked for. */
function asked({ task, answer, tags, scope, expiresAt }: MemoryContent) {
  return {
    task,
    answer,
    tags,
    scope,
    ttl_seconds: expiresAt === null ? null : expiresAt - Date.now() / 1000,
  };
}
