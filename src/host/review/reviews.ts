import * as vscode from 'vscode';
import { readCall } from '../../agent/customization/expandCommand';
import { findingContext, fixFindingPrompt } from '../../agent/prompts/finding';
import { readFindings } from '../../agent/review/readFindings';
import type { AgentSession } from '../../agent/session/agentSession';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { ViewItem } from '../../agent/view/sessionView';
import { DisposableStore, type Disposable } from '../../util/disposable';
import type { Lazy } from '../../util/lazy';
import { isTrustedToFix } from '../commands/isTrustedToFix';
import type { Panels } from '../panel/panels';
import { displayPathOf } from '../workspace/displayPathOf';
import type { ReviewComments } from './reviewComments';

export interface ReviewsParts {
  readonly registry: Pick<SessionRegistry, 'onSessionEvent' | 'onChange' | 'list'>;
  readonly panels: Panels;
  /** Loaded by the first review that names lines. */
  readonly comments: Lazy<ReviewComments>;
  readonly onInternalError: (error: unknown) => void;
}

const noFinding = vscode.l10n.t('No finding of a review is at the cursor.');

/** Shows what a `/review` found in the editor, and has it fixed. */
export class Reviews implements Disposable {
  readonly #parts: ReviewsParts;
  readonly #owned = new DisposableStore();
  /** The answer whose findings are shown. */
  #shown: { readonly sessionId: string; readonly answer: string } | undefined;

  constructor(parts: ReviewsParts) {
    this.#parts = parts;
    const { registry, onInternalError } = parts;
    this.#owned.add(
      registry.onSessionEvent(({ session, event }) => {
        if (event.type !== 'state_changed' || event.state !== 'idle') return;
        this.#onEnd(session).catch(onInternalError);
      }),
    );
    this.#owned.add(registry.onChange(() => void this.#forgetDeleted().catch(onInternalError)));
  }

  /** Sends a finding to be fixed. `given`: its comment; absent: the one at the cursor. */
  async fix(given: unknown): Promise<void> {
    const finding = (await this.#parts.comments.ifLoaded())?.find(given);
    if (!finding) return void vscode.window.showInformationMessage(noFinding);
    if (!(await isTrustedToFix(vscode.l10n.t('Explain Selection')))) return;
    const about = { ...finding, displayPath: displayPathOf(finding.uri) };
    const panel = this.#parts.panels.current;
    await panel.reveal();
    await panel.submit({ text: fixFindingPrompt(about), context: [findingContext(about)] });
  }

  async dismiss(given: unknown): Promise<void> {
    const finding = (await this.#parts.comments.ifLoaded())?.find(given);
    if (finding) finding.dismiss();
    else void vscode.window.showInformationMessage(noFinding);
  }

  async dismissAll(): Promise<void> {
    (await this.#parts.comments.ifLoaded())?.clear();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #onEnd({ id: sessionId, view }: AgentSession): Promise<void> {
    const answer = reviewIn(view.items);
    const isKnown = this.#shown?.sessionId === sessionId && this.#shown.answer === answer;
    if (answer === undefined || isKnown) return;
    const findings = readFindings(answer);
    if (findings.length === 0) return;
    this.#shown = { sessionId, answer };
    const placed = await (await this.#parts.comments.get()).show(findings);
    const [first] = placed;
    if (!first) return;
    const count =
      placed.length === 1
        ? vscode.l10n.t('One finding stands as a comment in the editor.')
        : vscode.l10n.t('{0} findings stand as comments in the editor.', placed.length);
    const show = vscode.l10n.t('Show First');
    void vscode.window.showInformationMessage(count, show).then((choice) => {
      if (choice !== show) return;
      const start = new vscode.Position(first.line - 1, 0);
      void vscode.window.showTextDocument(first.uri, { selection: new vscode.Range(start, start) });
    });
  }

  /** The comments end with their session. */
  async #forgetDeleted(): Promise<void> {
    const shown = this.#shown;
    if (!shown) return;
    const sessions = await this.#parts.registry.list();
    if (this.#shown !== shown || sessions.some(({ id }) => id === shown.sessionId)) return;
    this.#shown = undefined;
    await this.dismissAll();
  }
}

/** The newest answer if it answers `/review`. */
function reviewIn(items: readonly ViewItem[]): string | undefined {
  const start = items.findLastIndex((item) => item.kind === 'prompt' && !item.isSteering);
  const prompt = items[start];
  if (prompt?.kind !== 'prompt' || readCall(prompt.text)?.name !== 'review') return undefined;
  const answer = items.slice(start + 1).findLast((item) => item.kind === 'text');
  return answer?.kind === 'text' && !answer.isStreaming ? answer.text : undefined;
}
