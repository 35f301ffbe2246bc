import * as vscode from 'vscode';
import { SCHEME } from '../contributions.js';
import { Conflict, notSaved, readFailure, refused } from './failures.js';
import { addressOf, type Address } from './memoryUri.js';
import { saysGone } from './serverFailures.js';

/** A document as it is now. */
export interface Content {
  readonly text: string;
  /** Of what can be changed: another one means that somebody changed it. */
  readonly revision: string;
  /** What else the text depends on; where this alone is another one there is no conflict. */
  readonly state?: string;
  /** Epoch seconds. */
  readonly storedAt: number;
  readonly readonly: boolean;
}

/** What a kind of document is, and what saving it means. */
export interface DocumentSource {
  /** Rejects as the server does. */
  read(id: string): Promise<Content>;
  /**
   * Absent where nothing can be saved. Rejects as the server does, with a `DocumentFault` or with an error of the editor.
   * @param seen the revision the text was made from
   */
  write?(id: string, text: string, seen: string, uri: vscode.Uri): Promise<void>;
}

interface Seen {
  readonly revision: string;
  /** Bytes, the same for all states of a revision: the editor takes another size for a change by others. */
  readonly size: number;
}

interface Stamped extends Seen {
  readonly state: string;
  /** Milliseconds; the editor takes a file for changed where this is another time. */
  readonly changedAt: number;
}

/** Memories as files of the editor: it brings editing, saving, conflicts and comparing. */
export class MemoryFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** What the editor was told last, and what it was last given to show. */
  private readonly told = new Map<string, Stamped>();
  private readonly shown = new Map<string, Seen>();
  private readonly registration: vscode.Disposable;

  readonly onDidChangeFile = this.changed.event;

  constructor(private readonly sources: Readonly<Record<Address['kind'], DocumentSource>>) {
    this.registration = vscode.workspace.registerFileSystemProvider(SCHEME, this, { isCaseSensitive: true });
  }

  /** Has the editor look again at what is open. */
  refresh(): void {
    const open = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === SCHEME);
    this.changed.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const content = await this.read(uri);
    const { changedAt, size } = this.stamp(uri, content);
    return {
      type: vscode.FileType.File,
      ctime: content.storedAt * 1000,
      mtime: changedAt,
      size,
      // Of what was typed while it could still be changed, the save says more than that it is read-only.
      ...(content.readonly &&
        openAs(uri)?.isDirty !== true && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const content = await this.read(uri);
    this.shown.set(uri.toString(), this.stamp(uri, content));
    return Buffer.from(content.text);
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const { kind, id } = required(uri);
    const source = this.sources[kind];
    if (!source.write) throw refused(vscode.l10n.t('This document is for reading: it cannot be saved.'));
    try {
      const { revision } = await this.seen(uri);
      await source.write(id, Buffer.from(bytes).toString('utf8'), revision, uri);
    } catch (error) {
      // Who saves once more, having been told, means it.
      if (error instanceof Conflict) await this.take(uri);
      throw notSaved(error);
    }
    await this.take(uri);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.FileNotADirectory();
  }

  /** The editor wants one before it writes what it cannot find: the write says why. */
  createDirectory(): void {
    return;
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.registration.dispose();
    this.changed.dispose();
  }

  private async load(uri: vscode.Uri): Promise<Content> {
    const { kind, id } = required(uri);
    try {
      return await this.sources[kind].read(id);
    } catch (error) {
      if (saysGone(error)) return gone(this.told.get(uri.toString())?.revision ?? '');
      throw error;
    }
  }

  /** Never fails as if there were no file: editors would offer to create it. */
  private async read(uri: vscode.Uri): Promise<Content> {
    try {
      return await this.load(uri);
    } catch (error) {
      if (error instanceof vscode.FileSystemError) throw error;
      const words = readFailure(error);
      // What is open stays as it is. Of what is being opened, editors say no more than that there was an error.
      if (openAs(uri)) throw vscode.FileSystemError.Unavailable(words);
      return { text: `${words}\n`, revision: '', state: 'unread', storedAt: 0, readonly: true };
    }
  }

  /** What is there now is what the editor's text is based on. */
  private async take(uri: vscode.Uri): Promise<void> {
    // Where it cannot be asked for, the next save has to find out.
    const content = await this.load(uri).catch(() => null);
    if (content) this.shown.set(uri.toString(), this.stamp(uri, content));
  }

  /** What the text that is saved now was made from. */
  private async seen(uri: vscode.Uri): Promise<Seen> {
    const [told, shown] = [this.told.get(uri.toString()), this.shown.get(uri.toString())];
    // The editor has kept the text since before it was started, and has compared the size itself.
    if (!told || !shown) return this.stamp(uri, await this.load(uri));
    // The editor itself asks about changes by others, but only where they changed the size.
    return told.size === shown.size ? shown : told;
  }

  private stamp(uri: vscode.Uri, { revision, state = '', text }: Content): Stamped {
    const key = uri.toString();
    const before = this.told.get(key);
    const isSame = before?.revision === revision;
    if (isSame && before.state === state) return before;
    const size = isSame ? before.size : Buffer.byteLength(text);
    const stamped = { revision, state, size, changedAt: Math.max(Date.now(), (before?.changedAt ?? 0) + 1) };
    this.told.set(key, stamped);
    return stamped;
  }
}

function required(uri: vscode.Uri): Address {
  const address = addressOf(uri.path);
  if (address === null) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}

function openAs(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Stands where something was; whoever has typed there is told so by the save, not of a change by others. */
function gone(revision: string): Content {
  const words = vscode.l10n.t(
    'This is gone for good: it was removed from the trash, or never was there. You can close this document.',
  );
  return { text: `${words}\n`, revision, state: 'gone', storedAt: 0, readonly: true };
}
