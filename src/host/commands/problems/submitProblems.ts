import * as vscode from 'vscode';
import {
  explainProblemsPrompt,
  fixProblemsPrompt,
  problemsContext,
  type FileProblems,
} from '../../../agent/prompts/problems';
import type { PanelController } from '../../panel/panelController';
import { showPanel } from '../../panel/showPanel';
import { displayPathOf } from '../../workspace/displayPathOf';
import { isReadingProtected } from '../../../workspace/paths/protectedPaths';
import { isTrustedToFix } from '../isTrustedToFix';
import type { ProblemsMeant } from './problemActions';

interface Parts {
  readonly panel: PanelController;
}

/** Lines shown before the first and after the last problem. */
const LINES_AROUND = 8;
/** Code that is longer than this is left for the model to read as it needs it. */
const MAX_LINES = 80;
const MAX_CHARACTERS = 8_000;

/** Sends problems of a file with a prompt about them. Without an argument: the problems of the file in the editor. */
export async function submitProblems({ panel }: Parts, given: unknown, purpose: 'explain' | 'fix'): Promise<void> {
  const meant = isMeant(given) ? given : inActiveEditor();
  if (meant === undefined || meant.diagnostics.length === 0) {
    void vscode.window.showInformationMessage('VS Code reports no problem in the file of the active editor.');
    return;
  }
  const problems = problemsOf(await vscode.workspace.openTextDocument(meant.uri), meant.diagnostics);
  await showPanel();
  const text = purpose === 'explain' ? explainProblemsPrompt(problems) : fixProblemsPrompt(problems);
  await panel.submit({ text, context: [problemsContext(problems)] });
}

export async function fixProblems(parts: Parts, given: unknown): Promise<void> {
  if (await isTrustedToFix('Explain with Open Agent')) await submitProblems(parts, given, 'fix');
}

function isMeant(given: unknown): given is ProblemsMeant {
  const { uri, diagnostics } = (given ?? {}) as Partial<Record<keyof ProblemsMeant, unknown>>;
  return uri instanceof vscode.Uri && Array.isArray(diagnostics);
}

function inActiveEditor(): ProblemsMeant | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && { uri, diagnostics: vscode.languages.getDiagnostics(uri) };
}

function problemsOf(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): FileProblems {
  const inOrder = diagnostics.toSorted((a, b) => a.range.start.compareTo(b.range.start));
  const displayPath = displayPathOf(document.uri);
  return {
    displayPath,
    languageId: document.languageId,
    isUnsaved: document.isDirty,
    problems: inOrder.map(({ range, message, source }) => ({ line: range.start.line + 1, message, source })),
    // The person chose the problems, not the lines around them.
    code: isReadingProtected({ displayPath, pathInRoot: displayPath }) ? undefined : codeAround(document, inOrder),
  };
}

function codeAround(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): FileProblems['code'] {
  const first = Math.max(0, Math.min(...diagnostics.map(({ range }) => range.start.line)) - LINES_AROUND);
  const end = Math.max(...diagnostics.map(({ range }) => range.end.line)) + LINES_AROUND;
  const last = Math.min(document.lineCount - 1, end);
  if (last - first >= MAX_LINES) return undefined;
  const text = document.getText(new vscode.Range(first, 0, last, document.lineAt(last).text.length));
  return text.length > MAX_CHARACTERS ? undefined : { startLine: first + 1, text };
}
