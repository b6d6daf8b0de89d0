import * as vscode from 'vscode';
import type { Selection } from '../../../agent/prompts/selection';

/** The selected lines of the active editor, whole and with unsaved changes; `undefined`: nothing is selected. */
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

/** A selection that ends before a line's first character leaves that line out. */
function wholeLines(document: vscode.TextDocument, { start, end }: vscode.Range): vscode.Range {
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return new vscode.Range(start.line, 0, last, document.lineAt(last).text.length);
}
