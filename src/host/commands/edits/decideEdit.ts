import * as vscode from 'vscode';
import type { Approvals } from '../../approvals/openApprovals';
import { personsEdit } from '../../approvals/vscodeApprover';
import { activeProposal, requestIdOf } from '../../diffPreview/proposalUris';
import { noEditOpen } from '../commandTable';

const MESSAGE_MS = 5_000;

type Decider = Pick<Approvals, 'approver' | 'preview' | 'sight'>;

export async function acceptEdit(
  { approver, sight }: Pick<Decider, 'approver' | 'sight'>,
  editor: unknown,
): Promise<void> {
  const requestId = proposedEdit(editor);
  if (requestId === undefined || !approver.isPending(requestId)) return sayNoneIsOpen();
  if (isByKey(editor)) {
    if (!sight.wasSeen(requestId)) return sayTooEarly();
    if (!approver.takesKeys(requestId)) return sayNoKey();
  }
  if (!approver.approve(requestId)) sayNoneIsOpen();
}

export async function rejectEdit({ approver }: Pick<Approvals, 'approver'>, editor: unknown): Promise<void> {
  const requestId = proposedEdit(editor);
  if (requestId === undefined || !approver.isPending(requestId)) return sayNoneIsOpen();
  const isOwn = approver.pendingEdits().some(({ id, toolName }) => id === requestId && toolName === personsEdit);
  const reason = isOwn
    ? ''
    : await askReason(vscode.l10n.t('Reject Proposed Edit'), vscode.l10n.t('Escape leaves the proposal open.'));
  if (reason !== undefined && !approver.deny(requestId, reason)) sayNoneIsOpen();
}

/**
 * Accepts or rejects one change of a proposed edit and goes to the next. After the last one the accepted changes are
 * applied. A link in the editor passes the request's id and the hunk; all else means the hunk at the cursor.
 */
export async function decideHunk(
  { approver, preview, sight }: Decider,
  [editor, index]: readonly unknown[],
  isKept: boolean,
): Promise<void> {
  const requestId = typeof editor === 'string' ? editor : proposedEdit(editor);
  if (requestId === undefined || !approver.isPending(requestId)) return sayNoneIsOpen();
  if (isByKey(editor) && !sight.wasSeen(requestId)) return sayTooEarly();
  // A key may choose the changes of a protected file. It does not accept the edit after the last one.
  const isFinal = !isByKey(editor) || approver.takesKeys(requestId);
  const hunk = typeof index === 'number' ? index : preview.hunkAtCursor(requestId);
  if (hunk === undefined) return sayNoneIsOpen();
  if (!(await approver.decideHunk(requestId, { hunk, isKept, isFinal }))) return sayNoneIsOpen();
  preview.goToOpenHunk(requestId, hunk + 1);
}

/** Asks for a reason that the model is told. Empty: none. `undefined`: the person cancelled. */
export function askReason(title: string, escape: string): PromiseLike<string | undefined> {
  return vscode.window.showInputBox({
    title,
    prompt: vscode.l10n.t('The model is told the reason. {0}', escape),
    placeHolder: vscode.l10n.t('Reason for the model (optional)'),
  });
}

/** The key bindings of package.json pass this. A key may have been meant for another edit, or for other text. */
function isByKey(given: unknown): boolean {
  return typeof given === 'object' && given !== null && 'by' in given && given.by === 'key';
}

/** The editor title passes the proposal's address. Key bindings and the palette mean the proposal in front. */
function proposedEdit(editor: unknown): string | undefined {
  if (editor instanceof vscode.Uri) return requestIdOf(editor);
  // In an editor for several diffs, the active text editor is the one with the cursor.
  return requestIdOf(activeProposal() ?? vscode.window.activeTextEditor?.document.uri);
}

/** Not a notification: the person who reads on presses the key again. */
function sayTooEarly(): void {
  const text = vscode.l10n.t('Open Agent: This edit has just opened. Press the key again to accept it.');
  vscode.window.setStatusBarMessage(text, MESSAGE_MS);
}

function sayNoKey(): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'This file is protected, so no key accepts the edit. Use Accept in the title of the editor or on its card.',
    ),
  );
}

function sayNoneIsOpen(): void {
  void vscode.window.showInformationMessage(noEditOpen());
}
