import * as vscode from 'vscode';
import { DisposableStore } from '../../util/disposable';
import { proposalsOf, type EditsAnswered, type VscodeApprover } from './vscodeApprover';
import type { DiffPreview } from '../diffPreview/diffPreview';
import { uriOf } from '../workspace/uris';
import type { EditReview, ReviewResource } from './editReview';

export interface ProposedEditsParts {
  readonly approver: Pick<VscodeApprover, 'pendingEdits' | 'answerEdits' | 'isPending' | 'onChange'>;
  readonly preview: Pick<DiffPreview, 'prepareReview' | 'endReview'>;
  /** The review of edits made without asking: the same editor shows both. */
  readonly review: Pick<EditReview, 'prepare'>;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Shows all edits of a session that wait for an answer in one editor, beside those made without asking. Accepts or
 * rejects them together: only edits on screen there, each by its own id.
 */
export class ProposedEdits implements vscode.Disposable {
  readonly #parts: ProposedEditsParts;
  readonly #owned = new DisposableStore();
  /** The request ids of the edits on screen. */
  #shown: readonly string[] | undefined;
  #isOpening = false;

  constructor(parts: ProposedEditsParts) {
    this.#parts = parts;
    this.#owned.add(parts.approver.onChange(() => this.#followDecisions()));
    this.#owned.add(vscode.window.tabGroups.onDidChangeTabs(({ closed }) => this.#followTabs(closed)));
  }

  /** Resolves with false when no edit waits. Without `sessionId`: the session with the oldest question. */
  async show(sessionId?: string): Promise<boolean> {
    const { approver, preview, review } = this.#parts;
    const [first] = approver.pendingEdits(sessionId);
    if (!first) return false;
    const waiting = approver.pendingEdits(first.sessionId);
    await this.#close();
    const { resources, markSeen } = await review.prepare();
    const proposed = await Promise.all(
      waiting.flatMap(proposalsOf).map(async ({ id, plan }): Promise<ReviewResource> => {
        const { original, proposal } = await preview.prepareReview(id, plan);
        return [uriOf(plan.target.path), plan.before === null ? undefined : original, proposal];
      }),
    );
    const title = resources.length === 0 ? TITLE : vscode.l10n.t('Proposed edits and those made without asking');
    this.#isOpening = true;
    try {
      await vscode.commands.executeCommand('vscode.changes', title, [...proposed, ...resources]);
    } finally {
      this.#isOpening = false;
    }
    markSeen();
    this.#shown = waiting.map(({ id }) => id);
    this.#followTabs([]);
    this.#followDecisions();
    return true;
  }

  /** Accepts the edits on screen, except those that need an answer of their own. `undefined`: the review is not open. */
  acceptAll(): EditsAnswered | undefined {
    return this.#shown && this.#parts.approver.answerEdits(this.#shown, { isAccepted: true });
  }

  /** `undefined`: the review is not open. */
  rejectAll(reason?: string): EditsAnswered | undefined {
    return this.#shown && this.#parts.approver.answerEdits(this.#shown, { isAccepted: false, reason });
  }

  get isShown(): boolean {
    return this.#shown !== undefined;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Closes the review when all its edits are decided. */
  #followDecisions(): void {
    const { approver, onInternalError } = this.#parts;
    if (!this.#shown || this.#shown.some((id) => approver.isPending(id))) return;
    this.#close().catch(onInternalError);
  }

  #followTabs(closed: readonly vscode.Tab[]): void {
    if (this.#isOpening) return;
    const ours = tabsOfReviews();
    const isInFront = ours.some(({ isActive, group }) => isActive && group.isActive);
    void vscode.commands.executeCommand('setContext', 'openAgent.areEditsReviewed', isInFront && this.isShown);
    if (ours.length === 0 && closed.some(isReview)) this.#forget();
    // A reloaded window restores the tab but not its edits.
    else if (ours.length > 0 && !this.#shown)
      vscode.window.tabGroups.close(ours, true).then(undefined, this.#parts.onInternalError);
  }

  async #close(): Promise<void> {
    const tabs = tabsOfReviews();
    this.#forget();
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  #forget(): void {
    if (!this.#shown) return;
    this.#shown = undefined;
    this.#parts.preview.endReview((requestId) => this.#parts.approver.isPending(requestId));
  }
}

const TITLE = vscode.l10n.t('Proposed edits');

function tabsOfReviews(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(isReview);
}

/** VS Code does not tell what a multi-diff editor shows. We recognise our title, followed by the number of files. */
function isReview({ input, label }: vscode.Tab): boolean {
  const isOfFiles = input instanceof vscode.TabInputText || input instanceof vscode.TabInputTextDiff;
  return !isOfFiles && /^Proposed edits(?: and those made without asking)? \(\d+ files?\)$/.test(label);
}
