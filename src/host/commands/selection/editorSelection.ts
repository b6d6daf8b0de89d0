import * as vscode from 'vscode';
import type { Selection } from '../../../agent/prompts/selection';

/** What is selected in the active editor, whole lines, unsaved changes included; `undefined` when nothing is. */
export function editorSelection(displayPath: (document: vscode.TextDocument) => string): Selection | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { document, selection } = editor;
  const lines = wholeLines(document, selection);
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ range, severity }) => severity <= vscode.DiagnosticSeverity.Warning && lines.intersection(range))
    .map(({ range, message }) => ({ line: range.start.line + 1, message }));
  return {
    displayPath: displayPath(document),
    languageId: document.languageId,
    startLine: lines.start.line + 1,
    endLine: lines.end.line + 1,
    text: document.getText(lines),
    isUnsaved: document.isDirty,
    problems,
  };
}

/** A selection that ends before the first character of a line does not mean that line. */
function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): vscode.Range {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new vscode.Range(start.line, 0, last, document.lineAt(last).text.length);
}
