import * as vscode from 'vscode';
import { proposalTabs, requestIdOf } from './proposalUris';

/**
 * Closes the tabs of one proposal, or of all that a reloaded window still shows, without a question: a proposal with
 * unsaved typing is saved first, which only keeps the draft.
 */
export async function closeProposals(requestId?: string): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    const id = requestIdOf(document.uri);
    if (id === undefined || !document.isDirty || (requestId !== undefined && id !== requestId)) continue;
    await document.save();
  }
  const tabs = proposalTabs(requestId);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}
