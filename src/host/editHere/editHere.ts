import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { editPartPrompt, editPartSystemPrompt, readEditedPart, type EditRound } from '../../agent/prompts/editPart';
import { selectionContext } from '../../agent/prompts/selection';
import { findAnsweringModel, type AskModelParts } from '../../agent/servers/askModel';
import { messageOf } from '../../util/errors';
import { visibleText } from '../../util/text/visibleText';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { askForEdit, onProposalClosed, writeAccepted } from '../approvals/personsEdits';
import type { VscodeApprover } from '../approvals/vscodeApprover';
import type { DiffPreview } from '../diffPreview/diffPreview';
import { activeProposal, proposalUri, requestIdOf } from '../diffPreview/proposalUris';
import { notificationText } from '../notificationText';
import type { Panels } from '../panel/panels';
import { placeToEdit, type PlaceToEdit } from './placeToEdit';

export interface EditHereParts {
  readonly model: AskModelParts;
  readonly access: WorkspaceAccess;
  readonly approver: Pick<VscodeApprover, 'ask' | 'showProposal' | 'deny'>;
  readonly preview: Pick<DiffPreview, 'grow' | 'close' | 'goToOpenHunk'>;
  readonly panels: Pick<Panels, 'current'>;
}

/** An edit that the model writes, or that waits for the person. */
interface Edit {
  readonly id: string;
  readonly place: PlaceToEdit;
  rounds: readonly EditRound[];
  /** What the person wants now. */
  wish: string;
  /** Ends the answer and the question. */
  stop: AbortController;
  /** Resolves when the last round has ended. */
  ended: Promise<void>;
}

const CONTEXT = 'openAgent.editsHere';

/**
 * Changes code where the person is: asks what they want, and shows what the model writes as a proposed edit. It needs no
 * tools and no session.
 */
export class EditHere {
  readonly #parts: EditHereParts;
  readonly #edits = new Map<string, Edit>();

  constructor(parts: EditHereParts) {
    this.#parts = parts;
  }

  /** Asks for a change of the code in the editor, or for another one of the proposal in front. */
  async start(): Promise<void> {
    const known = this.#inFront();
    if (known) return this.#refine(known);
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      void vscode.window.showInformationMessage(
        vscode.l10n.t('Open a file and put the cursor where you want a change.'),
      );
      return;
    }
    const place = await placeToEdit(editor, this.#parts.access);
    if (typeof place === 'string') {
      void vscode.window.showWarningMessage(notificationText(place));
      return;
    }
    const wish = await askWish(place);
    if (wish === undefined) return;
    const edit = newEdit(place, wish);
    this.#edits.set(edit.id, edit);
    await this.#tellWindow();
    this.#begin(edit);
  }

  /** Stops the model, or takes the proposal in front back. The file stays as it is. */
  async discard(): Promise<void> {
    const edit = this.#inFront();
    if (edit) await this.#takeBack(edit);
  }

  /** Takes the proposal in front back, and asks the agent for it in a new session. */
  async continueInChat(): Promise<void> {
    const edit = this.#inFront();
    if (!edit) return;
    await this.#takeBack(edit);
    const { displayPath, languageId, startLine, endLine, text, problems } = edit.place.part;
    const selected = { displayPath, languageId, startLine, endLine, text, problems, isUnsaved: false };
    const wishes = [...edit.rounds.map(({ wish }) => wish), edit.wish];
    const panel = this.#parts.panels.current;
    await panel.reveal();
    await panel.submit({
      text: [...new Set(wishes)].join('\n\n'),
      context: [selectionContext(selected)],
    });
  }

  async #refine(edit: Edit): Promise<void> {
    const wish = await askWish(edit.place, { isFurther: true });
    if (wish === undefined || !this.#edits.has(edit.id)) return;
    const { stop } = edit;
    edit.stop = new AbortController();
    stop.abort();
    await edit.ended;
    this.#edits.set(edit.id, edit);
    await this.#tellWindow();
    edit.wish = wish;
    this.#begin(edit);
  }

  #begin(edit: Edit): void {
    const { stop } = edit;
    edit.ended = this.#finish(edit, stop);
  }

  /** Never rejects. */
  async #finish(edit: Edit, stop: AbortController): Promise<void> {
    try {
      await this.#round(edit, stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.#offerAgain(edit, messageOf(error));
    }
    await this.#end(edit, stop);
  }

  /** The model writes, then the person decides. */
  async #round(edit: Edit, signal: AbortSignal): Promise<void> {
    const { approver, preview, access } = this.#parts;
    const { id, place } = edit;
    const closed = onProposalClosed(id, () => edit.stop.abort());
    let written: string;
    try {
      written = await this.#write(edit, signal);
    } finally {
      closed.dispose();
    }
    const plan = place.planOf(written, false);
    if (plan.after === plan.before) {
      await preview.close(id);
      void vscode.window.showInformationMessage(vscode.l10n.t('The model changed nothing.'));
      return;
    }
    edit.rounds = [...edit.rounds, { wish: edit.wish, written }];
    await preview.grow(id, plan);
    preview.goToOpenHunk(id, 0);
    const decision = await askForEdit(
      { plan, id, signal, reason: vscode.l10n.t('You asked for this edit.') },
      approver,
    );
    if (decision.action !== 'allow') return;
    const problem = await writeAccepted(plan, decision, access);
    if (problem !== undefined) void vscode.window.showWarningMessage(notificationText(problem));
  }

  /** Resolves with the new text of the part. Draws it while it grows. */
  async #write(edit: Edit, signal: AbortSignal): Promise<string> {
    const { part, canGrow, planOf } = edit.place;
    const { preview, model: parts } = this.#parts;
    const title = vscode.l10n.t('Editing {0}', describePlace(edit.place));
    const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
    const answer = await vscode.window.withProgress(options, async (_, token) => {
      token.onCancellationRequested(() => edit.stop.abort());
      const model = await findAnsweringModel(parts, signal, edit.id);
      const prompt = editPartPrompt(part, edit.rounds, edit.wish);
      let text = '';
      let drawing: Promise<void> | undefined;
      try {
        for await (const piece of model.answer({ systemPrompt: editPartSystemPrompt, prompt }, signal)) {
          text += piece;
          const now = canGrow && drawing === undefined ? readEditedPart(text, part) : undefined;
          // What comes while it draws is drawn next time. The whole text is drawn in any case.
          if (now !== undefined) {
            const drawn = (): void => void (drawing = undefined);
            drawing = preview.grow(edit.id, planOf(now, true)).then(drawn, drawn);
          }
        }
      } finally {
        await drawing;
        if (signal.aborted) await preview.close(edit.id);
      }
      return text;
    });
    if (signal.aborted) throw new Error(vscode.l10n.t('The edit was stopped.'));
    const written = readEditedPart(answer, part);
    if (written === undefined) {
      const words = visibleText(answer.trim().slice(0, 200), 'prose');
      throw new Error(
        words === ''
          ? vscode.l10n.t('The model wrote nothing.')
          : vscode.l10n.t('The model wrote no code: “{0}”', words),
      );
    }
    return written;
  }

  async #takeBack(edit: Edit): Promise<void> {
    edit.stop.abort();
    await edit.ended;
  }

  /** What the person wanted is not lost. */
  #offerAgain(edit: Edit, message: string): void {
    const again = vscode.l10n.t('Retry');
    void this.#parts.preview.close(edit.id);
    void vscode.window.showErrorMessage(notificationText(message), again).then((choice) => {
      if (choice === again) void this.#again(edit);
    });
  }

  async #again({ place, rounds, wish: value }: Edit): Promise<void> {
    const wish = await askWish(place, { value });
    if (wish === undefined) return;
    const edit = newEdit(place, wish, rounds);
    this.#edits.set(edit.id, edit);
    await this.#tellWindow();
    this.#begin(edit);
  }

  async #end(edit: Edit, stop: AbortController): Promise<void> {
    // A further round has begun.
    if (edit.stop !== stop) return;
    this.#edits.delete(edit.id);
    await this.#tellWindow();
  }

  #inFront(): Edit | undefined {
    const id = requestIdOf(activeProposal() ?? vscode.window.activeTextEditor?.document.uri);
    return id === undefined ? undefined : this.#edits.get(id);
  }

  /** Keys and buttons of package.json are for these proposals alone. */
  async #tellWindow(): Promise<void> {
    const proposals = [...this.#edits.values()].map(({ id, place }) =>
      proposalUri(id, place.part.displayPath).toString(),
    );
    await vscode.commands.executeCommand('setContext', CONTEXT, proposals);
  }
}

function newEdit(place: PlaceToEdit, wish: string, rounds: readonly EditRound[] = []): Edit {
  return { id: randomUUID(), place, rounds, wish, stop: new AbortController(), ended: Promise.resolve() };
}

interface WishOptions {
  readonly value?: string | undefined;
  readonly isFurther?: boolean | undefined;
}

async function askWish(place: PlaceToEdit, { value, isFurther }: WishOptions = {}): Promise<string | undefined> {
  const wish = await vscode.window.showInputBox({
    title: isFurther
      ? vscode.l10n.t('Change the Proposal for {0}', describePlace(place))
      : vscode.l10n.t('Edit {0}', describePlace(place)),
    placeHolder: isFurther ? vscode.l10n.t('What should be different?') : vscode.l10n.t('What should change?'),
    prompt: vscode.l10n.t('You see the change before it is made.'),
    // A click elsewhere, to look something up, does not lose what was typed.
    ignoreFocusOut: true,
    ...(value !== undefined && { value }),
  });
  return wish?.trim() === '' ? undefined : wish?.trim();
}

function describePlace({ part: { displayPath, startLine, endLine } }: PlaceToEdit): string {
  const name = visibleText(path.posix.basename(displayPath), 'path');
  return startLine === endLine
    ? vscode.l10n.t('Line {0} of {1}', startLine, name)
    : vscode.l10n.t('Lines {0}–{1} of {2}', startLine, endLine, name);
}
