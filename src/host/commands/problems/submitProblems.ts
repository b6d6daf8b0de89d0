import * as vscode from 'vscode';
import { explainProblemsPrompt, fixProblemsPrompt, problemsContext } from '../../../agent/prompts/problems';
import type { PanelController } from '../../panel/panelController';
import type { MayHoldSecrets } from '../../workspace/secretFiles';
import { isTrustedToFix } from '../isTrustedToFix';
import type { ProblemsMeant } from './problemActions';
import { problemsOf } from './problemsOf';

interface Parts {
  readonly panel: PanelController;
  readonly mayHoldSecrets: MayHoldSecrets;
}

/** Sends problems of a file with a prompt about them. Without an argument: the problems of the file in the editor. */
export async function submitProblems(
  { panel, mayHoldSecrets }: Parts,
  given: unknown,
  purpose: 'explain' | 'fix',
): Promise<void> {
  const meant = isMeant(given) ? given : inActiveEditor();
  if (meant === undefined || meant.diagnostics.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('VS Code reports no problem in the file of the active editor.'),
    );
    return;
  }
  const isSecret = await mayHoldSecrets(meant.uri);
  const problems = problemsOf(await vscode.workspace.openTextDocument(meant.uri), meant.diagnostics, { isSecret });
  await panel.reveal();
  const text = purpose === 'explain' ? explainProblemsPrompt(problems) : fixProblemsPrompt(problems);
  await panel.submit({ text, context: [problemsContext(problems)] });
}

export async function fixProblems(parts: Parts, given: unknown): Promise<void> {
  if (await isTrustedToFix(vscode.l10n.t('Explain with Open Agent'))) await submitProblems(parts, given, 'fix');
}

export function isMeant(given: unknown): given is ProblemsMeant {
  const { uri, diagnostics } = (given ?? {}) as Partial<Record<keyof ProblemsMeant, unknown>>;
  return uri instanceof vscode.Uri && Array.isArray(diagnostics);
}

function inActiveEditor(): ProblemsMeant | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && { uri, diagnostics: vscode.languages.getDiagnostics(uri) };
}
