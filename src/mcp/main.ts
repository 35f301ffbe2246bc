/** What the extension loads when it needs a server, and not before. */
export { openSession } from './session.js';
export { shakeHands } from './shakeHands.js';
