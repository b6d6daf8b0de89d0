import * as vscode from 'vscode';
import { proposalScheme } from './proposalUris';

interface Draft {
  readonly bytes: Uint8Array;
  readonly modifiedMs: number;
}

/**
 * Holds proposed texts as editable files. Saving only keeps the draft and never touches the disk. An unknown proposal,
 * in a tab of a reloaded window, is an empty file: its tab closes without a question.
 */
export class ProposalFileSystem implements vscode.FileSystemProvider {
  static readonly scheme = proposalScheme;
  readonly #drafts = new Map<string, Draft>();
  readonly #changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.#changes.event;

  add(uri: vscode.Uri, text: string): void {
    this.#keep(uri, new TextEncoder().encode(text));
  }

  /** The last saved draft. */
  textOf(uri: vscode.Uri): string | undefined {
    const draft = this.#drafts.get(uri.toString());
    return draft && new TextDecoder().decode(draft.bytes);
  }

  remove(uri: vscode.Uri): void {
    this.#drafts.delete(uri.toString());
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const draft = this.#drafts.get(uri.toString());
    const modifiedMs = draft?.modifiedMs ?? 0;
    return { type: vscode.FileType.File, ctime: modifiedMs, mtime: modifiedMs, size: draft?.bytes.byteLength ?? 0 };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    return this.#drafts.get(uri.toString())?.bytes ?? new Uint8Array();
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (this.#drafts.has(uri.toString())) this.#keep(uri, content);
  }

  /** Only this extension changes a proposal, so there is nothing to watch. */
  watch(): vscode.Disposable {
    return { dispose: () => {} };
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
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

  #keep(uri: vscode.Uri, bytes: Uint8Array): void {
    const known = this.#drafts.get(uri.toString());
    // VS Code treats files of equal time as unchanged.
    const modifiedMs = Math.max(Date.now(), (known?.modifiedMs ?? 0) + 1);
    this.#drafts.set(uri.toString(), { bytes, modifiedMs });
    this.#changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }
}
