import * as vscode from 'vscode';
import { activeProposal, requestIdOf } from '../diffPreview/proposalUris';

/**
 * The request an edit command is about: the editor title passes the proposal's address, a key binding and the palette
 * mean the proposal in front.
 */
export function proposedEdit(argument: unknown): string | undefined {
  return requestIdOf(argument instanceof vscode.Uri ? argument : activeProposal());
}

/** Says that there is nothing to decide. */
export function noProposedEdit(): void {
  void vscode.window.showInformationMessage('No proposed edit is open in the editor, or it has been decided already.');
}
