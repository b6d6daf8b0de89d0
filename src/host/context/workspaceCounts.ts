import * as vscode from 'vscode';
import type { WorkspaceCounts } from '../../agent/view/prompt/contextChip';
import { openRepositories } from '../sourceControl/gitExtension';

/** What there is to do in the workspace, as VS Code knows it already. Starts nothing and reads no file. */
export function workspaceCounts(): WorkspaceCounts {
  const errors = vscode.languages
    .getDiagnostics()
    .filter(([uri]) => vscode.workspace.getWorkspaceFolder(uri) !== undefined)
    .flatMap(([, diagnostics]) => diagnostics)
    .filter(({ severity }) => severity === vscode.DiagnosticSeverity.Error).length;
  const changed = openRepositories()?.flatMap(({ state }) =>
    [
      ...(state.mergeChanges ?? []),
      ...state.indexChanges,
      ...state.workingTreeChanges,
      ...(state.untrackedChanges ?? []),
    ].map(({ uri }) => uri.toString()),
  );
  return { errors, ...(changed && { changedFiles: new Set(changed).size }) };
}
