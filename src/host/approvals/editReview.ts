import * as vscode from 'vscode';
import type { UnseenEdit, UnseenEdits } from '../../agent/approval/unseenEdits';
import type { BlobStore } from '../../workspace/checkpoints/ports';
import type { FileSystem } from '../../workspace/ports';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { originalUri } from '../diffPreview/proposalUris';
import { uriOf } from '../workspace/uris';

export interface EditReviewParts {
  readonly unseenEdits: UnseenEdits;
  readonly blobs: BlobStore;
  readonly fileSystem: FileSystem;
  readonly originals: OriginalProvider;
}

/**
 * The resource that `vscode.changes` takes for a file: its address, the text before, the text after. A missing side is
 * `undefined`.
 */
export type ReviewResource = readonly [file: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

/**
 * Shows the edits that the agent made without asking and nobody has seen. One editor shows all files: left before,
 * right now.
 */
export class EditReview {
  readonly #parts: EditReviewParts;
  #shown: vscode.Uri[] = [];
  #count = 0;

  constructor(parts: EditReviewParts) {
    this.#parts = parts;
  }

  /** Marks all edits as seen once they are on screen. Resolves with false when there are none. */
  async show(): Promise<boolean> {
    const { resources, markSeen } = await this.prepare();
    if (resources.length === 0) return false;
    const title =
      resources.length === 1 ? 'Changed without asking: 1 file' : `Changed without asking: ${resources.length} files`;
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    markSeen();
    return true;
  }

  /** Prepares the unseen edits for an editor. Removes the texts prepared earlier. */
  async prepare(): Promise<{ readonly resources: readonly ReviewResource[]; readonly markSeen: () => void }> {
    const { unseenEdits, originals } = this.#parts;
    const edits = unseenEdits.current;
    if (edits.length > 0) {
      for (const uri of this.#shown.splice(0)) originals.remove(uri);
      this.#count += 1;
    }
    const resources = await Promise.all(edits.map((edit) => this.#resource(edit)));
    return { resources, markSeen: () => unseenEdits.markSeen(edits) };
  }

  async #resource({ path, before }: UnseenEdit): Promise<ReviewResource> {
    const { blobs, fileSystem, originals } = this.#parts;
    const file = uriOf(path);
    const isThere = (await fileSystem.stat(path))?.kind === 'file';
    const modified = isThere ? file : undefined;
    if (before === null) return [file, undefined, modified];
    const bytes = await blobs.get(before);
    // The address has the file's own path. With another path the editor would show a renamed file.
    const original = originalUri(`review-${this.#count}`, file.path.slice(1));
    originals.add(original, new TextDecoder().decode(bytes ?? new Uint8Array()));
    this.#shown.push(original);
    return [file, original, modified];
  }
}
