// The embedder's child process: `node embedder.js <model folder>`, with an IPC channel to its parent.
import type { EmbedReply, EmbedRequest } from './protocol.js';
import { loadSession } from './session.js';
import { wording } from './wording.js';

function reply(message: EmbedReply): void {
  process.send?.(message);
}

// The parent ended or let go: nobody is left to answer.
process.on('disconnect', () => process.exit());
// It may have ended before this listener was in place.
if (!process.connected) process.exit();

loadSession(process.argv[2] ?? '').then(
  (session) => {
    process.on('message', (message) => {
      // The only sender is our own client.
      const { id, texts } = message as EmbedRequest;
      session.embed(texts).then(
        (vectors) => reply({ kind: 'vectors', id, vectors }),
        (error: unknown) => reply({ kind: 'error', id, error: wording(error) }),
      );
    });
    reply({ kind: 'ready' });
  },
  (error: unknown) => reply({ kind: 'failed', reason: wording(error) }),
);
