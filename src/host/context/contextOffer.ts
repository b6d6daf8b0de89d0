import * as vscode from 'vscode';
import type { ContextOffer } from '../../agent/view/prompt/contextChip';
import { mentionOf } from '../../agent/view/prompt/mentionText';
import { displayPathOf } from '../workspace/displayPathOf';
import { selectedLineNumbers } from '../workspace/selectedLines';

/** Documents of VS Code itself and of other extensions, which hold no code of the person. */
const OFFERED_SCHEMES: ReadonlySet<string> = new Set(['file', 'untitled', 'vscode-remote']);

/** The selected lines, or the file in the editor. Names them only; nothing is read. */
export function contextOffer(): ContextOffer | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { uri } = editor.document;
  const isInFolder = vscode.workspace.getWorkspaceFolder(uri) !== undefined;
  if (!isInFolder && !OFFERED_SCHEMES.has(uri.scheme)) return undefined;
  const lines = selectedLineNumbers(editor.selection);
  const displayPath = displayPathOf(uri);
  const name = displayPath.slice(displayPath.lastIndexOf('/') + 1);
  const range = lines && (lines.start === lines.end ? `:${lines.start}` : `:${lines.start}-${lines.end}`);
  const label = `${name}${range ?? ''}`;
  const written = isInFolder ? mentionOf(displayPath, lines) : lines && '@selection';
  return written === undefined ? undefined : { written, label, isSelection: lines !== undefined };
}
