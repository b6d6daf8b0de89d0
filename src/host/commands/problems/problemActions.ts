import * as vscode from 'vscode';

/** What a command about problems gets: a file and the problems that the person pointed at. */
export interface ProblemsMeant {
  readonly uri: vscode.Uri;
  readonly diagnostics: readonly vscode.Diagnostic[];
}

const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
const ownSchemes: ReadonlySet<string> = new Set(['open-agent-proposal', 'open-agent-original']);

/** Offers the agent where VS Code offers fixes: at a problem, and for a selection when the person asks for actions. */
export class ProblemActions implements vscode.CodeActionProvider {
  static register(): vscode.Disposable {
    return vscode.languages.registerCodeActionsProvider('*', new ProblemActions(), {
      providedCodeActionKinds: [QuickFix, RefactorRewrite],
    });
  }

  provideCodeActions(
    { uri }: vscode.TextDocument,
    range: vscode.Range | vscode.Selection,
    { diagnostics, only, triggerKind }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (ownSchemes.has(uri.scheme)) return [];
    const actions: vscode.CodeAction[] = [];
    const add = (kind: vscode.CodeActionKind, title: string, command: string, meant?: ProblemsMeant): void => {
      if (only !== undefined && !only.contains(kind)) return;
      const action = new vscode.CodeAction(title, kind);
      action.command = { title, command, ...(meant && { arguments: [meant] }) };
      if (meant !== undefined) action.diagnostics = [...meant.diagnostics];
      actions.push(action);
    };
    const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    const mayEdit = vscode.workspace.isTrusted && isInFolder;
    if (diagnostics.length > 0) {
      const here: ProblemsMeant = { uri, diagnostics };
      if (mayEdit) add(QuickFix, vscode.l10n.t('Fix with Open Agent'), 'openAgent.fixProblems', here);
      add(QuickFix, vscode.l10n.t('Explain with Open Agent'), 'openAgent.explainProblems', here);
      if (isInFolder) add(QuickFix, vscode.l10n.t('Add to Open Agent'), 'openAgent.addToChat', here);
      const all = vscode.languages.getDiagnostics(uri);
      if (mayEdit && all.length > diagnostics.length) {
        const title = vscode.l10n.t('Fix All {0} Problems of This File with Open Agent', all.length);
        add(QuickFix, title, 'openAgent.fixProblems', { uri, diagnostics: all });
      }
      if (mayEdit) add(QuickFix, vscode.l10n.t('Edit Here with Open Agent…'), 'openAgent.editHere');
    }
    // VS Code asks at each selection; an offer each time would be noise.
    if (!range.isEmpty && triggerKind === vscode.CodeActionTriggerKind.Invoke) {
      if (mayEdit && diagnostics.length === 0)
        add(RefactorRewrite, vscode.l10n.t('Edit Here with Open Agent…'), 'openAgent.editHere');
      if (mayEdit) add(RefactorRewrite, vscode.l10n.t('Fix Selection with Open Agent'), 'openAgent.fixSelection');
      add(RefactorRewrite, vscode.l10n.t('Explain Selection with Open Agent'), 'openAgent.explainSelection');
    }
    return actions;
  }
}
