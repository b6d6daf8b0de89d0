import * as vscode from 'vscode';
import type { RestoreChoice } from '../../agent/restore/restore';
import type { BlobStore, FileContents } from '../../workspace/checkpoints/ports';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { originalUri } from '../diffPreview/proposalUris';

export interface RestorePreviewParts {
  readonly originals: OriginalProvider;
  readonly blobs: BlobStore;
  readonly contents: FileContents;
}

/** Shows what going back does to a file: left as it is now, right as it will be. */
export class RestorePreview {
  readonly #parts: RestorePreviewParts;
  #shown: vscode.Uri[] = [];
  #count = 0;

  constructor(parts: RestorePreviewParts) {
    this.#parts = parts;
  }

  async show({ path, displayPath, target }: RestoreChoice): Promise<void> {
    const { blobs, contents } = this.#parts;
    const now = (await contents.read(path))?.bytes;
    const then = target === null ? undefined : await blobs.get(target.hash);
    this.#count += 1;
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.#add(`now-${this.#count}`, displayPath, now),
      this.#add(`then-${this.#count}`, displayPath, then),
      `${displayPath}: now ↔ after going back`,
      { preview: true, preserveFocus: true },
    );
  }

  /** Forgets the texts; the tab that shows them stays until another takes its place. */
  clear(): void {
    for (const uri of this.#shown.splice(0)) this.#parts.originals.remove(uri);
  }

  #add(id: string, displayPath: string, bytes: Uint8Array | undefined): vscode.Uri {
    const uri = originalUri(id, displayPath);
    this.#parts.originals.add(uri, new TextDecoder().decode(bytes ?? new Uint8Array()));
    this.#shown.push(uri);
    return uri;
  }
}
