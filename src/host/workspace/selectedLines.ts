import * as vscode from 'vscode';

/** Whole lines, both included. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

/** The lines that a selection touches, counted from 0. One that ends before a line's first character leaves that line out. */
export function selectedLines({ start, end }: vscode.Range): Lines {
  return { start: start.line, end: end.character === 0 && end.line > start.line ? end.line - 1 : end.line };
}

/** Likewise, as people count lines: from 1. `undefined`: nothing is selected. */
export function selectedLineNumbers(selection: vscode.Selection): Lines | undefined {
  if (selection.isEmpty) return undefined;
  const { start, end } = selectedLines(selection);
  return { start: start + 1, end: end + 1 };
}

/** The errors and warnings that touch these lines, each with its first line, counted from 1. */
export function problemsOfLines(
  document: vscode.TextDocument,
  { start, end }: Lines,
): readonly { readonly line: number; readonly message: string }[] {
  return vscode.languages
    .getDiagnostics(document.uri)
    .filter(({ severity }) => severity <= vscode.DiagnosticSeverity.Warning)
    .filter(({ range }) => range.start.line <= end && range.end.line >= start)
    .map(({ range, message }) => ({ line: range.start.line + 1, message }));
}
