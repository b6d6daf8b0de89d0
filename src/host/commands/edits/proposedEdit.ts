import * as vscode from 'vscode';
import { activeProposal, requestIdOf } from '../../diffPreview/proposalUris';

/**
 * The request an edit command is about: the editor title passes the proposal's address, a key binding and the palette
 * mean the proposal in front.
 */
export function proposedEdit(argument: unknown): string | undefined {
  if (argument instanceof vscode.Uri) return requestIdOf(argument);
  // In an editor for several diffs it is the one that has the cursor.
  return requestIdOf(activeProposal() ?? vscode.window.activeTextEditor?.document.uri);
}

/** Says that there is nothing to decide. */
export function noProposedEdit(): void {
  void vscode.window.showInformationMessage('No proposed edit is open in the editor, or it has been decided already.');
}
