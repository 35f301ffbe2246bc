import assert from 'node:assert/strict';
import type { ServerProcess } from '../server/serverProcess.js';
import type { Ask } from './ask.js';
import { oneOf, type Random } from './random.js';

export interface Row {
  readonly task: string;
  readonly answer: string;
}

/** What clients were told is stored or forgotten; the store must agree with every word of it. */
export class Book {
  /** By entry id. */
  readonly rows = new Map<string, Row>();
  readonly forgotten = new Set<string>();

  stored(id: string, row: Row): void {
    assert.ok(!this.rows.has(id) && !this.forgotten.has(id), `two rows were given the id ${id}`);
    this.rows.set(id, row);
  }

  forget(id: string): void {
    this.rows.delete(id);
    this.forgotten.add(id);
  }

  /** Fails where the store of this server holds more, less or something else. */
  async check(server: ServerProcess): Promise<void> {
    const { total_entries, trash } = await server.call('stats');
    assert.deepEqual({ total_entries, trash }, { total_entries: this.rows.size, trash: this.forgotten.size });
    assert.deepEqual(await damage(server), []);
    for (const [entry_id, row] of this.rows) {
      const { task_text: task, answer } = await server.call('get', { entry_id });
      assert.deepEqual({ task, answer }, row);
    }
  }
}

/** What is wrong with the store, apart from the model that tests leave out. */
export async function damage(server: ServerProcess): Promise<unknown[]> {
  const { health } = await server.call('stats');
  return health.filter(({ code }) => code !== 'no_model');
}

/** A client that stores, recalls, searches and forgets without a pause, and checks every answer. */
export class Worker {
  private readonly own: string[] = [];
  /** Rows stored so far. */
  done = 0;

  constructor(
    private readonly name: string,
    private readonly ask: Ask,
    private readonly book: Book,
    private readonly random: Random,
  ) {}

  /** Stores one row and reads it back; resolves to its id. */
  async store(): Promise<string> {
    const { ask, book, random } = this;
    // A word of its own each: searches find it by that.
    const word = `${this.name}row${this.done}`;
    const row = { task: `how ${word} was solved`, answer: `${word} `.repeat(1 + Math.floor(random() * 300)) };
    const { stored, refreshed, entry_id: id = '' } = await ask('remember', row);
    assert.deepEqual({ stored, refreshed }, { stored: true, refreshed: undefined }, row.task);
    book.stored(id, row);
    this.own.push(id);
    this.done += 1;
    const { hit, entry_id, answer } = await ask('recall', { task: row.task });
    assert.deepEqual({ hit, entry_id, answer }, { hit: true, entry_id: id, answer: row.answer });
    return id;
  }

  /** Searches for one of its rows by its word; resolves to the row's id. */
  async search(): Promise<string> {
    const id = oneOf(this.own, this.random);
    const query = this.book.rows.get(id)?.answer.split(' ')[0] ?? '';
    const { results } = await this.ask('search', { query });
    assert.ok(
      results.some(({ entry_id }) => entry_id === id),
      `${query} was not found`,
    );
    return id;
  }

  /** Forgets one of its rows; resolves to its id. */
  async forget(): Promise<string> {
    const id = oneOf(this.own, this.random);
    this.own.splice(this.own.indexOf(id), 1);
    const task = this.book.rows.get(id)?.task ?? '';
    assert.deepEqual(await this.ask('forget', { entry_id: id }), { forgotten: true }, task);
    this.book.forget(id);
    return id;
  }

  /** Stores first, then whatever chance says; resolves to the id of the row it was about. */
  async step(): Promise<string> {
    const choice = this.own.length === 0 ? 1 : this.random();
    if (choice < 0.25) return this.forget();
    return choice < 0.4 ? this.search() : this.store();
  }
}
