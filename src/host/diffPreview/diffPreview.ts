import * as vscode from 'vscode';
import type { EditPlan } from '../../workspace/plans';
import type { EditPreview } from '../approvals/vscodeApprover';
import { closeProposals } from './closeProposals';
import { editedProposal, withoutByteOrderMark } from './editedProposal';
import type { OriginalProvider } from './originalProvider';
import type { ProposalFileSystem } from './proposalFileSystem';
import { proposalTitle } from './proposalTitle';
import { originalUri, proposalUri, requestIdOf } from './proposalUris';

interface Proposal {
  readonly plan: EditPlan;
  readonly original: vscode.Uri;
  readonly proposal: vscode.Uri;
}

/** Shows a proposed edit in VS Code's diff editor: left the current text, right the proposal, which can be typed into. */
export class DiffPreview implements EditPreview {
  readonly #originals: OriginalProvider;
  readonly #proposals: ProposalFileSystem;
  readonly #shown = new Map<string, Proposal>();
  /** Opening and closing take turns: a proposal that is decided while it opens is closed afterwards. */
  #last: Promise<void> = Promise.resolve();

  constructor(parts: { readonly originals: OriginalProvider; readonly proposals: ProposalFileSystem }) {
    this.#originals = parts.originals;
    this.#proposals = parts.proposals;
  }

  open(requestId: string, plan: EditPlan, options: { readonly takeFocus: boolean }): Promise<void> {
    return this.#inTurn(() => this.#openNow(requestId, plan, options.takeFocus));
  }

  editedText(requestId: string): string | undefined {
    const shown = this.#shown.get(requestId);
    if (!shown) return undefined;
    const address = shown.proposal.toString();
    // The buffer is newer than the draft while something typed is not saved.
    const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === address);
    const text = document?.getText() ?? this.#proposals.textOf(shown.proposal);
    return text === undefined ? undefined : editedProposal(shown.plan.after, text);
  }

  close(requestId: string): Promise<void> {
    return this.#inTurn(async () => {
      const shown = this.#shown.get(requestId);
      if (!shown) return;
      await closeProposals((uri) => requestIdOf(uri) === requestId);
      this.#shown.delete(requestId);
      this.#proposals.remove(shown.proposal);
      this.#originals.remove(shown.original);
    });
  }

  async #openNow(requestId: string, plan: EditPlan, takeFocus: boolean): Promise<void> {
    const { displayPath } = plan.target;
    const original = originalUri(requestId, displayPath);
    const proposal = proposalUri(requestId, displayPath);
    if (!this.#shown.has(requestId)) {
      this.#originals.add(original, withoutByteOrderMark(plan.before ?? ''));
      this.#proposals.add(proposal, withoutByteOrderMark(plan.after));
      this.#shown.set(requestId, { plan, original, proposal });
    }
    // Whatever `files.encoding` says: a proposal is UTF-8.
    await vscode.workspace.openTextDocument(proposal, { encoding: 'utf8' });
    await vscode.commands.executeCommand('vscode.diff', original, proposal, proposalTitle(plan), {
      // Not in the preview tab, which the next file the person opens would take.
      preview: false,
      preserveFocus: !takeFocus,
    });
  }

  #inTurn(task: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(task);
    // The next one does not depend on how this one ended; whoever asked for this one hears of it.
    this.#last = turn.catch(() => {});
    return turn;
  }
}
