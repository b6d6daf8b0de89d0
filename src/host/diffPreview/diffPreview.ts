import * as vscode from 'vscode';
import type { HunkState } from '../../agent/view/approvalSummary';
import { DisposableStore } from '../../util/disposable';
import { Emitter } from '../../util/emitter';
import type { EditPlan } from '../../workspace/plans';
import { fitBuffer, replaceText } from '../ports/saveThroughBuffer';
import { closeProposals } from './closeProposals';
import type { EditPreview, HunkChange } from './editPreview';
import { editedProposal, withoutByteOrderMark } from './editedProposal';
import { HunkMarks } from './hunkMarks';
import { hunkAt, HunkReview, nextOpen } from './hunkReview';
import type { OriginalProvider } from './originalProvider';
import type { ProposalFileSystem } from './proposalFileSystem';
import { proposalTitle } from './proposalTitle';
import { asTextPath, originalUri, proposalTabs, proposalUri, requestIdOf } from './proposalUris';
import { TurnQueue } from '../../util/async/turnQueue';

interface Proposal {
  readonly plan: EditPlan;
  readonly original: vscode.Uri;
  readonly proposal: vscode.Uri;
  readonly review: HunkReview;
}

export interface ProposalSides {
  readonly original: vscode.Uri;
  readonly proposal: vscode.Uri;
}

export interface DiffPreviewParts {
  readonly originals: OriginalProvider;
  readonly proposals: ProposalFileSystem;
  readonly onInternalError: (error: unknown) => void;
}

/** Shows a proposed edit in VS Code's diff editor: left the current text, right the proposal, which can be edited. */
export class DiffPreview implements EditPreview, vscode.Disposable {
  readonly #originals: OriginalProvider;
  readonly #proposals: ProposalFileSystem;
  readonly #shown = new Map<string, Proposal>();
  /** The proposals in the review of all edits. They stay readable until the review ends, even when decided. */
  readonly #inReview = new Set<string>();
  readonly #owned = new DisposableStore();
  readonly #marks = this.#owned.add(new HunkMarks());
  readonly #hunkChanges: Emitter<HunkChange>;
  /** Opening, deciding and closing take turns, so a proposal decided while it opens is closed afterwards. */
  readonly #turns = new TurnQueue();

  constructor({ originals, proposals, onInternalError }: DiffPreviewParts) {
    this.#originals = originals;
    this.#proposals = proposals;
    this.#hunkChanges = this.#owned.add(new Emitter(onInternalError));
    this.#owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => this.#look(requestIdOf(document.uri))));
    this.#owned.add(
      vscode.window.onDidChangeVisibleTextEditors((editors) => {
        for (const editor of editors) this.#mark(editor);
      }),
    );
  }

  get onHunksChanged(): Emitter<HunkChange>['on'] {
    return this.#hunkChanges.on;
  }

  open(requestId: string, plan: EditPlan, options: { readonly takeFocus: boolean }): Promise<void> {
    return this.#turns.run(() => this.#openNow(requestId, plan, options.takeFocus));
  }

  /** Shows a proposal that is still being written, or more of it. Nobody is asked about it yet. */
  grow(requestId: string, plan: EditPlan): Promise<void> {
    return this.#turns.run(async () => {
      const shown = this.#shown.get(requestId);
      if (!shown) return this.#openNow(requestId, plan, true);
      this.#shown.set(requestId, { ...shown, plan, review: new HunkReview(plan) });
      const text = withoutByteOrderMark(plan.after);
      // A buffer that the person has not changed follows its file, and stays without unsaved changes.
      if (documentOf(shown)?.isDirty) await this.#setText(shown, text);
      else this.#proposals.add(shown.proposal, text);
      this.#look(requestId);
    });
  }

  editedText(requestId: string): string | undefined {
    const shown = this.#shown.get(requestId);
    const text = shown && this.#textOf(shown);
    return shown && text !== undefined ? editedProposal(shown.plan, text) : undefined;
  }

  async decideHunk(requestId: string, plan: EditPlan, index: number, isKept: boolean): Promise<readonly HunkState[]> {
    let states: readonly HunkState[] = [];
    await this.#turns.run(async () => {
      const shown = this.#add(requestId, plan);
      const { review } = shown;
      const before = review.states.join();
      const now = this.#textOf(shown);
      if (now !== undefined) review.read(now);
      const text = review.decide(index, isKept);
      if (text !== now) await this.#setText(shown, text);
      this.#look(requestId, before);
      states = review.states;
    });
    return states;
  }

  /** The hunk at the cursor of the proposal's editor, or the nearest one. `undefined`: no editor shows the proposal. */
  hunkAtCursor(requestId: string): number | undefined {
    const shown = this.#shown.get(requestId);
    const editor = shown && this.#editorOf(shown);
    return shown && editor && hunkAt(shown.review.places, editor.selection.active.line);
  }

  /** Moves the cursor to the next undecided hunk. */
  goToOpenHunk(requestId: string, from: number): void {
    const shown = this.#shown.get(requestId);
    const editor = shown && this.#editorOf(shown);
    const next = shown && nextOpen(shown.review.states, from);
    if (!shown || !editor || next === undefined) return;
    const place = shown.review.places[next];
    if (!place) return;
    const position = new vscode.Position(Math.min(place.start, editor.document.lineCount - 1), 0);
    editor.selection = new vscode.Selection(position, position);
    editor.revealRange(new vscode.Range(position, position), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }

  close(requestId: string): Promise<void> {
    return this.#turns.run(async () => {
      const shown = this.#shown.get(requestId);
      if (!shown) return;
      await closeProposals((uri) => requestIdOf(uri) === requestId);
      if (!this.#inReview.has(requestId)) this.#remove(requestId, shown);
    });
  }

  isInReview(requestId: string): boolean {
    return this.#inReview.has(requestId);
  }

  /** The two sides of a proposal, for an editor of several diffs. `endReview` gives them back. */
  async prepareReview(requestId: string, plan: EditPlan): Promise<ProposalSides> {
    const { original, proposal } = this.#add(requestId, plan);
    this.#inReview.add(requestId);
    await vscode.workspace.openTextDocument(proposal, { encoding: 'utf8' });
    return { original, proposal };
  }

  /** Ends the review and forgets its decided proposals. */
  endReview(isOpen: (requestId: string) => boolean): void {
    for (const requestId of this.#inReview) {
      const shown = this.#shown.get(requestId);
      if (shown && !isOpen(requestId)) this.#remove(requestId, shown);
    }
    this.#inReview.clear();
  }

  #remove(requestId: string, { proposal, original }: Proposal): void {
    this.#shown.delete(requestId);
    this.#proposals.remove(proposal);
    this.#originals.remove(original);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #openNow(requestId: string, plan: EditPlan, takeFocus: boolean): Promise<void> {
    const { original, proposal } = this.#add(requestId, plan);
    // A proposal is UTF-8, whatever `files.encoding` says.
    await vscode.workspace.openTextDocument(proposal, { encoding: 'utf8' });
    await vscode.commands.executeCommand('vscode.diff', original, proposal, proposalTitle(plan), {
      // Not the preview tab: the next opened file would replace it.
      preview: false,
      preserveFocus: !takeFocus,
    });
    for (const editor of vscode.window.visibleTextEditors) this.#mark(editor);
  }

  #add(requestId: string, plan: EditPlan): Proposal {
    const known = this.#shown.get(requestId);
    if (known) return known;
    const { displayPath } = plan.target;
    const original = originalUri(requestId, asTextPath(displayPath));
    const proposal = proposalUri(requestId, asTextPath(displayPath));
    this.#originals.add(original, withoutByteOrderMark(plan.before ?? ''));
    this.#proposals.add(proposal, withoutByteOrderMark(plan.after));
    const shown = { plan, original, proposal, review: new HunkReview(plan) };
    this.#shown.set(requestId, shown);
    return shown;
  }

  /** An unsaved buffer is newer than the saved draft. */
  #textOf(shown: Proposal): string | undefined {
    const document = documentOf(shown);
    return document?.isDirty ? document.getText() : this.#proposals.textOf(shown.proposal);
  }

  async #setText(shown: Proposal, text: string): Promise<void> {
    const document = documentOf(shown);
    const address = shown.proposal.toString();
    // Changing the buffer can be undone. Changing a buffer without a tab would make VS Code open one.
    if (!document || (!document.isDirty && proposalTabs((uri) => uri.toString() === address).length === 0)) {
      this.#proposals.add(shown.proposal, text);
    } else if (!(await replaceText(document, { text: fitBuffer(document, text).text, eol: document.eol }))) {
      throw new Error(vscode.l10n.t('The proposal has changed in the meantime. Try again.'));
    }
  }

  /** Reads a proposal again, and tells the listeners when a hunk's state differs from `before`. */
  #look(requestId: string | undefined, before?: string): void {
    const shown = requestId === undefined ? undefined : this.#shown.get(requestId);
    if (!shown || requestId === undefined) return;
    const text = this.#textOf(shown);
    const hasChanged = text !== undefined && shown.review.read(text);
    for (const editor of vscode.window.visibleTextEditors) this.#mark(editor);
    const { states } = shown.review;
    if (hasChanged || (before !== undefined && states.join() !== before)) this.#hunkChanges.emit({ requestId, states });
  }

  #mark(editor: vscode.TextEditor): void {
    const shown = this.#shown.get(requestIdOf(editor.document.uri) ?? '');
    if (shown) this.#marks.show(editor, shown.review);
  }

  #editorOf({ proposal }: Proposal): vscode.TextEditor | undefined {
    const address = proposal.toString();
    return vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === address);
  }
}

function documentOf({ proposal }: Proposal): vscode.TextDocument | undefined {
  const address = proposal.toString();
  return vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
}
