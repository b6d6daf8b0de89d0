import type * as vscode from 'vscode';
import { BYTE_ORDER_MARK } from '../../workspace/edits/lineEnds';
import { ReadOnlyFileError, StaleFileError, TextDecodeError, type FileSystem } from '../../workspace/ports';
import { isNotebookPath } from '../../workspace/notebooks/notebookPath';
import { findOpenDocument, findOpenNotebook } from './openDocuments';
import { isReadOnlyBySetting } from './readOnlySetting';
import { fitBuffer, saveThroughBuffer } from './saveThroughBuffer';

/**
 * The files as the person sees them: unsaved text wins over the file. A change to an open file goes through its buffer:
 * it can be undone, cursors stay, and format on save applies. Without unsaved changes the file wins over the buffer. VS
 * Code is slow to notice changes of commands, and buffers cannot hold every file (mixed line ends, other encodings).
 * `node` writes such files, and VS Code reloads them by itself.
 */
export function createVscodeFileSystem(node: FileSystem): FileSystem {
  const openText: FileSystem['openText'] = async (file) => {
    const document = await findOpenDocument(file, node);
    return document?.isDirty ? { text: unsavedText(document), isDirty: true } : node.openText(file);
  };

  const stat: FileSystem['stat'] = async (file) => {
    const found = await node.stat(file);
    return found?.kind === 'file' && isReadOnlyBySetting(file) ? { ...found, isReadOnly: true } : found;
  };

  const writeText: FileSystem['writeText'] = async (file, text, expected) => {
    if ((await stat(file))?.isReadOnly) throw new ReadOnlyFileError(`${file} is read-only.`);
    if (isNotebookPath(file) && (await findOpenNotebook(file, node))?.isDirty) {
      throw new StaleFileError(`${file} has unsaved cells in its editor. Save them first.`);
    }
    const document = await findOpenDocument(file, node);
    if (document && !isUtf8(document) && isPlain(expected) && !isPlain(text)) {
      throw new TextDecodeError(
        `VS Code has opened ${file} as ${document.encoding}, which would change its other letters. Nothing was written.`,
      );
    }
    if (!document || (!document.isDirty && !isInStep(document, text, expected))) {
      return node.writeText(file, text, expected);
    }
    if (!document.isDirty) await requireOnDisk(node, file, expected);
    // Nothing is awaited between this check and the change, and VS Code refuses to change a newer text.
    if (unsavedText(document) !== expected) throw new StaleFileError(`${file} has changed in its editor.`);
    const buffer = fitBuffer(document, withoutMark(text));
    await saveThroughBuffer(document, buffer);
    if (markOf(document) + buffer.text === text) return;
    // Text that a buffer cannot hold is written to the file afterwards, unless VS Code has saved another text.
    const saved = (await node.openText(file)).text;
    if (withoutMark(saved) === buffer.text) await node.writeText(file, text, saved);
  };

  return {
    stat,
    realPath: (file) => node.realPath(file),
    readSlice: (file, offset, maxBytes) => node.readSlice(file, offset, maxBytes),
    listDirectory: (folder) => node.listDirectory(folder),
    openText,
    writeText,
    ...(node.readLink && { readLink: node.readLink }),
    ...(node.protectedLinks && { protectedLinks: node.protectedLinks }),
  };
}

/** Whether a buffer without unsaved changes holds the expected text and can hold the new one. */
function isInStep(document: vscode.TextDocument, text: string, expected: string | null): boolean {
  if (!isUtf8(document) || unsavedText(document) !== expected) return false;
  return markOf(document) + fitBuffer(document, withoutMark(text)).text === text;
}

async function requireOnDisk(node: FileSystem, file: string, expected: string | null): Promise<void> {
  const isThere = (await node.stat(file)) !== undefined;
  if (!isThere || (await node.openText(file)).text !== expected) throw new StaleFileError(`${file} has changed.`);
}

/** The buffer's text as saving would write it. */
function unsavedText(document: vscode.TextDocument): string {
  if (isUtf8(document)) return markOf(document) + document.getText();
  throw new TextDecodeError(
    `${document.uri.fsPath} has unsaved changes and is open as ${document.encoding}. Only UTF-8 text can be used.`,
  );
}

function isPlain(text: string | null): boolean {
  return text === null || Array.from(text).every((letter) => letter <= '\u007F');
}

function isUtf8({ encoding }: vscode.TextDocument): boolean {
  return encoding === 'utf8' || encoding === 'utf8bom';
}

/** VS Code treats UTF-8 with a byte order mark as another encoding. */
function markOf({ encoding }: vscode.TextDocument): string {
  return encoding === 'utf8bom' ? BYTE_ORDER_MARK : '';
}

function withoutMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
}
