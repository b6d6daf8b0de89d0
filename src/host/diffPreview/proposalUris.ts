import * as vscode from 'vscode';
import { isNotebookPath } from '../../workspace/notebooks/notebookPath';

/** The right side of a diff: the agent's proposal, which can be edited. package.json uses it in `when` clauses. */
export const proposalScheme = 'open-agent-proposal';
/** The left side of a diff: the text before the proposal. */
export const originalScheme = 'open-agent-original';

/** The id is the authority, so the path is the file's own and VS Code shows its name, icon and language. */
export function proposalUri(requestId: string, displayPath: string): vscode.Uri {
  return vscode.Uri.from({ scheme: proposalScheme, authority: requestId, path: `/${displayPath}` });
}

export function originalUri(requestId: string, displayPath: string): vscode.Uri {
  return vscode.Uri.from({ scheme: originalScheme, authority: requestId, path: `/${displayPath}` });
}

/** The cells of a notebook are proposed as text, so VS Code must not open them as a notebook. */
export function asTextPath(displayPath: string): string {
  return isNotebookPath(displayPath) ? `${displayPath}.py` : displayPath;
}

/** The request of a proposal's address; `undefined` for any other address. */
export function requestIdOf(uri: vscode.Uri | undefined): string | undefined {
  return uri?.scheme === proposalScheme && uri.authority !== '' ? uri.authority : undefined;
}

/** The tabs that show proposals that `isMeant`. */
export function proposalTabs(isMeant: (proposal: vscode.Uri) => boolean): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter((tab) => {
      const uri = proposalOf(tab);
      return uri !== undefined && requestIdOf(uri) !== undefined && isMeant(uri);
    });
}

/** The proposal in the active tab. */
export function activeProposal(): vscode.Uri | undefined {
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  return tab && proposalOf(tab);
}

function proposalOf({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}
