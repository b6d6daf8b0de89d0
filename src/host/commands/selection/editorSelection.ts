import * as vscode from 'vscode';
import type { Selection } from '../../../agent/prompts/selection';
import { problemsOfLines, selectedLines } from '../../workspace/selectedLines';

/** The selected lines of the active editor, whole and with unsaved changes; `undefined`: nothing is selected. */
export function editorSelection(displayPath: (document: vscode.TextDocument) => string): Selection | undefined {
  return editorLines(displayPath, false);
}

/** Likewise; with `orWhole`, all lines where nothing is selected. */
export function editorLines(
  displayPath: (document: vscode.TextDocument) => string,
  orWhole: boolean,
): Selection | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || (editor.selection.isEmpty && !orWhole)) return undefined;
  const { document, selection } = editor;
  const lines = selection.isEmpty ? { start: 0, end: document.lineCount - 1 } : selectedLines(selection);
  const range = document.validateRange(new vscode.Range(lines.start, 0, lines.end, Number.MAX_SAFE_INTEGER));
  return {
    displayPath: displayPath(document),
    languageId: document.languageId,
    startLine: lines.start + 1,
    endLine: lines.end + 1,
    text: document.getText(range),
    isUnsaved: document.isDirty,
    problems: problemsOfLines(document, lines),
  };
}
