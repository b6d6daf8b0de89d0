import * as vscode from 'vscode';
import type { UnseenEdit, UnseenEdits } from '../../agent/approval/unseenEdits';
import type { FileState } from '../../workspace/checkpoints/fileChange';
import type { BlobStore } from '../../workspace/checkpoints/ports';
import { cellsToReview } from '../../workspace/notebooks/cellsToReview';
import type { FileSystem, NotebookFiles } from '../../workspace/ports';
import type { OriginalProvider } from '../diffPreview/originalProvider';
import { asTextPath, originalUri } from '../diffPreview/proposalUris';
import { uriOf } from '../workspace/uris';

export interface EditReviewParts {
  readonly unseenEdits: UnseenEdits;
  readonly blobs: BlobStore;
  readonly fileSystem: FileSystem;
  /** Absent: notebooks are read as files. */
  readonly notebooks?: NotebookFiles | undefined;
  readonly originals: OriginalProvider;
}

/**
 * The resource that `vscode.changes` takes for a file: its address, the text before, the text after. A missing side is
 * `undefined`.
 */
export type ReviewResource = readonly [file: vscode.Uri, before: vscode.Uri | undefined, after: vscode.Uri | undefined];

const IGNORED = vscode.l10n.t(
  'Commands in the sandbox may also have changed files that git ignores, such as installed packages and build output. The review does not show these.',
);

/** A file and its content before a run; `null`: it did not exist. */
interface FileBefore {
  readonly path: string;
  readonly target: FileState;
}

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
    const { unseenEdits } = this.#parts;
    const hasIgnored = unseenEdits.current.some(({ isIgnored }) => isIgnored);
    if (hasIgnored) {
      void vscode.window.showInformationMessage(IGNORED);
      unseenEdits.markIgnoredSeen();
    }
    if (resources.length === 0) return hasIgnored;
    const title =
      resources.length === 1
        ? vscode.l10n.t('Changed without asking: 1 file')
        : vscode.l10n.t('Changed without asking: {0} files', resources.length);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    markSeen();
    return true;
  }

  /** Shows how files differ from before a run. What is shown from its first change on counts as seen. */
  async showChanges(changes: readonly FileBefore[]): Promise<void> {
    if (changes.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('The files are as they were before this run.'));
      return;
    }
    const { unseenEdits } = this.#parts;
    const befores = changes.map(({ path, target }) => ({ path, before: target?.hash ?? null }));
    const seen = unseenEdits.current.filter((edit) =>
      befores.some(({ path, before }) => path === edit.path && before === edit.before),
    );
    const resources = await this.#resources(befores);
    await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changed by this run'), resources);
    unseenEdits.markSeen(seen);
  }

  /** Prepares the unseen edits for an editor. Removes the texts prepared earlier. */
  async prepare(): Promise<{ readonly resources: readonly ReviewResource[]; readonly markSeen: () => void }> {
    const { unseenEdits } = this.#parts;
    const edits = unseenEdits.current.filter(({ isIgnored }) => !isIgnored);
    return { resources: await this.#resources(edits), markSeen: () => unseenEdits.markSeen(edits) };
  }

  async #resources(edits: readonly Pick<UnseenEdit, 'path' | 'before'>[]): Promise<readonly ReviewResource[]> {
    if (edits.length > 0) {
      for (const uri of this.#shown.splice(0)) this.#parts.originals.remove(uri);
      this.#count += 1;
    }
    return Promise.all(edits.map((edit) => this.#resource(edit)));
  }

  async #resource({ path, before }: Pick<UnseenEdit, 'path' | 'before'>): Promise<ReviewResource> {
    const { blobs, fileSystem } = this.#parts;
    const file = uriOf(path);
    const isThere = (await fileSystem.stat(path))?.kind === 'file';
    const text = before === null ? undefined : new TextDecoder().decode((await blobs.get(before)) ?? new Uint8Array());
    const cells = await cellsToReview(isThere ? path : undefined, text, this.#parts);
    if (cells) {
      const textFile = file.with({ path: asTextPath(file.path) });
      const show = (side: string, shown: string | undefined): vscode.Uri | undefined =>
        shown === undefined ? undefined : this.#show(`${side}-${this.#count}`, textFile, shown);
      return [textFile, show('review', cells.before), show('reviewed', cells.now)];
    }
    // The address has the file's own path. With another path the editor would show a renamed file.
    const original = text === undefined ? undefined : this.#show(`review-${this.#count}`, file, text);
    return [file, original, isThere ? file : undefined];
  }

  /** Keeps a text until the next review. */
  #show(id: string, file: vscode.Uri, text: string): vscode.Uri {
    const shown = originalUri(id, file.path.slice(1));
    this.#parts.originals.add(shown, text);
    this.#shown.push(shown);
    return shown;
  }
}
