import * as vscode from 'vscode';
import { SCHEME } from '../contributions.js';
import { addressOf, type Address } from './memoryUri.js';

/** A document as it is now. */
export interface Content {
  readonly text: string;
  /** Another one means that somebody changed it. */
  readonly revision: string;
  /** Epoch seconds. */
  readonly storedAt: number;
  readonly readonly: boolean;
}

/** What a kind of document is, and what saving it means. */
export interface DocumentSource {
  /** Rejects in words for people where there is none. */
  read(id: string): Promise<Content>;
  /** Absent where nothing can be saved. `seen`: the revision the text was made from. */
  write?(id: string, text: string, seen: string, uri: vscode.Uri): Promise<void>;
}

interface Seen {
  readonly revision: string;
  /** Bytes. */
  readonly size: number;
}

interface Stamped extends Seen {
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
    const content = await this.load(uri);
    const { changedAt, size } = this.stamp(uri, content);
    return {
      type: vscode.FileType.File,
      ctime: content.storedAt * 1000,
      mtime: changedAt,
      size,
      ...(content.readonly && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const content = await this.load(uri);
    this.shown.set(uri.toString(), this.stamp(uri, content));
    return Buffer.from(content.text);
  }

  async writeFile(uri: vscode.Uri, bytes: Uint8Array): Promise<void> {
    const { kind, id } = required(uri);
    const source = this.sources[kind];
    const [told, shown] = [this.told.get(uri.toString()), this.shown.get(uri.toString())];
    if (!source.write || !told || !shown) throw vscode.FileSystemError.NoPermissions(uri);
    // The editor itself asks about changes by others, but only where they changed the size.
    const expected = told.size === shown.size ? shown : told;
    try {
      await source.write(id, Buffer.from(bytes).toString('utf8'), expected.revision, uri);
    } finally {
      // Also after a conflict: who saves once more, having been told, means it.
      this.shown.set(uri.toString(), this.stamp(uri, await this.load(uri)));
    }
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readDirectory(): never {
    throw vscode.FileSystemError.FileNotADirectory();
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
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
      throw vscode.FileSystemError.FileNotFound(error instanceof Error ? error.message : uri);
    }
  }

  private stamp(uri: vscode.Uri, { revision, text }: Content): Stamped {
    const key = uri.toString();
    const before = this.told.get(key);
    if (before?.revision === revision) return before;
    const stamped = { revision, size: Buffer.byteLength(text), changedAt: Date.now() };
    this.told.set(key, stamped);
    return stamped;
  }
}

function required(uri: vscode.Uri): Address {
  const address = addressOf(uri.path);
  if (address === null) throw vscode.FileSystemError.FileNotFound(uri);
  return address;
}
