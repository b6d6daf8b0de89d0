import * as vscode from 'vscode';
import { lineEndOf } from '../../workspace/edits/lineEnds';
import { StaleFileError } from '../../workspace/ports';
import { changedRange } from './changedRange';

/** A text as a buffer can hold it: with one kind of line end. */
export interface BufferText {
  readonly text: string;
  readonly eol: vscode.EndOfLine;
}

/** The text with its more frequent line end throughout, or with the document's where it has none. */
export function fitBuffer(document: vscode.TextDocument, text: string): BufferText {
  const lineEnd = lineEndOf(text);
  const eol = lineEnd === undefined ? document.eol : lineEnd === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  return { text: withEol(text, eol), eol };
}

/**
 * Makes the buffer hold this text, as one change that touches only what differs and can be undone, and saves it.
 * Rejects with `StaleFileError`, having changed nothing, when someone typed meanwhile, and with an `Error` when VS Code
 * does not save; the buffer then has its former text again, or the message says that it has not.
 */
export async function saveThroughBuffer(document: vscode.TextDocument, wanted: BufferText): Promise<void> {
  const before: BufferText & { readonly version: number } = {
    text: document.getText(),
    eol: document.eol,
    version: document.version,
  };
  const file = document.uri.fsPath;
  const isChange = before.text !== wanted.text || before.eol !== wanted.eol;
  if (isChange && !(await replaceText(document, wanted))) {
    if (document.version !== before.version) throw new StaleFileError(`${file} has changed in its editor.`);
    throw new Error(`${file} is open in an editor that does not take changes. Nothing was written.`);
  }
  const saved = await save(document);
  if (saved.ok) return;
  const options = { cause: saved.cause };
  if (!isChange) throw new Error(`${file} has unsaved changes that could not be saved. Nothing was written.`, options);
  // Whatever came on top of the change, by a person or by a formatter, is not ours to take away.
  const isUntouched = document.getText() === wanted.text;
  if (isUntouched && (await replaceText(document, before))) {
    throw new Error(
      `${file} is open in an editor and could not be saved. Nothing was written; the editor has its former text.`,
      options,
    );
  }
  throw new Error(
    `${file} could not be saved. The file is as it was, but its editor holds the change, unsaved: it has to be saved or undone there.`,
    options,
  );
}

/** Makes the buffer hold this text, as one change that touches only what differs. False: it has moved on, nothing was changed. */
export async function replaceText(document: vscode.TextDocument, wanted: BufferText): Promise<boolean> {
  const edits: vscode.TextEdit[] = [];
  const change = changedRange(document.getText(), withEol(wanted.text, document.eol));
  if (change) {
    const range = new vscode.Range(document.positionAt(change.start), document.positionAt(change.end));
    edits.push(vscode.TextEdit.replace(range, change.text));
  }
  if (document.eol !== wanted.eol) edits.push(vscode.TextEdit.setEndOfLine(wanted.eol));
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return vscode.workspace.applyEdit(edit);
}

async function save(document: vscode.TextDocument): Promise<{ readonly ok: boolean; readonly cause?: unknown }> {
  try {
    return { ok: await document.save() };
  } catch (cause) {
    return { ok: false, cause };
  }
}

/** A return on its own ends a line in a buffer as well. */
function withEol(text: string, eol: vscode.EndOfLine): string {
  return text.replaceAll(/\r\n|\r|\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
