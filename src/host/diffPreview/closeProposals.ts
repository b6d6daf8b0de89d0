import * as vscode from 'vscode';
import type { ProposalFileSystem } from './proposalFileSystem';
import { proposalTabs, requestIdOf } from './proposalUris';

/**
 * Closes the tabs of the proposals that `isMeant`, without a question. Saves unsaved typing first: that only keeps the
 * draft.
 */
export async function closeProposals(isMeant: (proposal: vscode.Uri) => boolean): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && requestIdOf(document.uri) !== undefined && isMeant(document.uri)) await document.save();
  }
  const tabs = proposalTabs(isMeant);
  if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
}

/** Closes proposals that no request waits for, now and later: a reloaded window restores its tabs one by one. */
export function closeOrphans(
  proposals: Pick<ProposalFileSystem, 'textOf'>,
  onError: (error: unknown) => void,
): vscode.Disposable {
  const close = (): void => void closeProposals((uri) => proposals.textOf(uri) === undefined).then(undefined, onError);
  close();
  return vscode.window.tabGroups.onDidChangeTabs(({ opened }) => {
    if (opened.length > 0) close();
  });
}
