import * as vscode from 'vscode';
import { restoreTexts, type RestoreChoice } from '../../agent/restore/planRestore';
import type { BlobStore, FileContents } from '../../workspace/checkpoints/ports';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { asTextPath, originalUri } from '../diffPreview/proposalUris';

export interface RestorePreviewParts {
  readonly originals: OriginalProvider;
  readonly blobs: BlobStore;
  readonly contents: FileContents;
}

/** Shows in a diff editor how going back changes a file: left the file now, right the file afterwards. */
export class RestorePreview {
  readonly #parts: RestorePreviewParts;
  #shown: vscode.Uri[] = [];
  #count = 0;

  constructor(parts: RestorePreviewParts) {
    this.#parts = parts;
  }

  async show(choice: RestoreChoice): Promise<void> {
    const { displayPath } = choice.place;
    const { now, afterwards } = await restoreTexts(choice, this.#parts);
    this.#count += 1;
    await vscode.commands.executeCommand(
      'vscode.diff',
      this.#add(`now-${this.#count}`, displayPath, now),
      this.#add(`then-${this.#count}`, displayPath, afterwards),
      vscode.l10n.t('{0}: now ↔ after going back', displayPath),
      { preview: true, preserveFocus: true },
    );
  }

  /** Forgets the texts. Their tab stays until another one takes its place. */
  clear(): void {
    for (const uri of this.#shown.splice(0)) this.#parts.originals.remove(uri);
  }

  #add(id: string, displayPath: string, text: string): vscode.Uri {
    const uri = originalUri(id, asTextPath(displayPath));
    this.#parts.originals.add(uri, text);
    this.#shown.push(uri);
    return uri;
  }
}
