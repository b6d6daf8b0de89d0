import * as vscode from 'vscode';
import type { FileProblems } from '../../../agent/prompts/problems';
import { displayPathOf } from '../../workspace/displayPathOf';

/** Lines shown before the first and after the last problem. */
const LINES_AROUND = 8;
/** Code that is longer than this is left for the model to read as it needs it. */
const MAX_LINES = 80;
const MAX_CHARACTERS = 8_000;

/**
 * Problems of a file, with the code around them where they are near each other. `isSecret`: the file may hold secrets, by
 * whatever name.
 */
export function problemsOf(
  document: vscode.TextDocument,
  diagnostics: readonly vscode.Diagnostic[],
  { isSecret }: { readonly isSecret: boolean },
): FileProblems {
  const inOrder = diagnostics.toSorted((a, b) => a.range.start.compareTo(b.range.start));
  const displayPath = displayPathOf(document.uri);
  return {
    displayPath,
    languageId: document.languageId,
    isUnsaved: document.isDirty,
    problems: inOrder.map(({ range, message, source }) => ({ line: range.start.line + 1, message, source })),
    // The person chose the problems, not the lines around them.
    code: isSecret ? undefined : codeAround(document, inOrder),
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
