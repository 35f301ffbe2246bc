import { createInMemoryStore } from '../../src/storage/inMemoryStore.js';
import { conformance } from './conformance.js';

conformance('in-memory store', () => Promise.resolve(createInMemoryStore()));
