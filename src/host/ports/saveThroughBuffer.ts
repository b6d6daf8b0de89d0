import * as vscode from 'vscode';
import { lineEndOf } from '../../workspace/edits/lineEnds';
import { StaleFileError } from '../../workspace/ports';
import { changedRange } from './changedRange';

/** A text with one kind of line end, as a buffer holds it. */
export interface BufferText {
  readonly text: string;
  readonly eol: vscode.EndOfLine;
}

/** Gives the text its more frequent line end throughout, or the document's when it has none. */
export function fitBuffer(document: vscode.TextDocument, text: string): BufferText {
  const lineEnd = lineEndOf(text);
  const eol = lineEnd === undefined ? document.eol : lineEnd === '\r\n' ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  return { text: withEol(text, eol), eol };
}

/**
 * Puts a text into the buffer and saves it. The change touches only the difference and can be undone. Rejects with
 * `StaleFileError`, changing nothing, when someone typed meanwhile. Rejects with an `Error` when VS Code does not save.
 * The buffer then has its former text again, unless the message says otherwise.
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
  let saved = await save(document);
  // VS Code refused a save once without an error, on a busy machine. A second try harms nothing: it checks the file again.
  if (!saved.ok && saved.cause === undefined && document.isDirty && document.getText() === wanted.text)
    saved = await save(document);
  if (saved.ok || (await isOnDisk(document.uri, wanted))) return;
  const options = { cause: saved.cause };
  if (!isChange) throw new Error(`${file} has unsaved changes that could not be saved. Nothing was written.`, options);
  // A later change, by a person or a formatter, must not be undone.
  const isUntouched = document.getText() === wanted.text;
  if (isUntouched && (await replaceText(document, before))) {
    throw new Error(
      `${file} is open in an editor and could not be saved. Nothing was written; the editor has its former text.`,
      options,
    );
  }
  throw new Error(
    `${file} could not be saved. The file is as it was, but its editor holds the change, unsaved. It has to be saved or undone there.`,
    options,
  );
}

/**
 * Puts a text into the buffer, as one change that touches only the difference. False: the buffer has changed meanwhile,
 * and nothing was done.
 */
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

/** On a busy machine, VS Code may write a file and say that it did not. */
async function isOnDisk(uri: vscode.Uri, { text }: BufferText): Promise<boolean> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await vscode.workspace.fs.readFile(uri)) === text;
  } catch {
    // The file is gone, cannot be read, or is not UTF-8.
    return false;
  }
}

/** Buffers treat a lone carriage return as a line end too. */
function withEol(text: string, eol: vscode.EndOfLine): string {
  return text.replaceAll(/\r\n|\r|\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
