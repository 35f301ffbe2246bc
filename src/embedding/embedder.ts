// The embedder's child process: `node embedder.js <model folder>`, with an IPC channel to its parent.
import type { EmbedReply, EmbedRequest } from './protocol.js';
import { loadSession } from './session.js';
import { wording } from './wording.js';

/** A parent that hears nothing takes this process for dead, so it is told when a request takes longer than that. */
const SIGN_OF_LIFE_MS = 1000;

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
      let said = performance.now();
      const onPiece = () => {
        if (performance.now() - said < SIGN_OF_LIFE_MS) return;
        said = performance.now();
        reply({ kind: 'working' });
      };
      session.embed(texts, onPiece).then(
        (vectors) => reply({ kind: 'vectors', id, vectors }),
        (error: unknown) => reply({ kind: 'error', id, error: wording(error) }),
      );
    });
    reply({ kind: 'ready', runtime: session.runtime });
  },
  (error: unknown) => reply({ kind: 'failed', reason: wording(error) }),
);
