import { leaving } from '../../src/server/leaving.js';

// Has nothing to do at all.
void leaving();
