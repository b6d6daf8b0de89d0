import * as vscode from 'vscode';
import type { FromWebview } from '../../protocol/fromWebview';
import { messageOf } from '../../util/errors';
import { notificationText } from '../notificationText';
import { applyCode, type ApplyParts } from './applyCode';
import { languageIdOf } from './languageIds';

export type CodeUse = Extract<FromWebview, { readonly type: 'useCode' }>;

/** What a person does with a block of code of an answer. */
export interface CodeBlocks {
  /** Never rejects: an error is shown. */
  use(intent: CodeUse): Promise<void>;
}

/** Only a click of the person starts these actions. A change of a file on disk is shown as a diff before it is made. */
export function createCodeBlocks(parts: ApplyParts): CodeBlocks {
  const act = async (intent: CodeUse): Promise<string | undefined> => {
    switch (intent.use) {
      case 'insert':
        return insertAtCursor(intent.code);
      case 'newFile':
        return openNewFile(intent);
      case 'apply':
        return applyCode(intent, parts);
    }
  };
  return {
    async use(intent) {
      const problem = await act(intent).catch(messageOf);
      if (problem !== undefined) void vscode.window.showWarningMessage(notificationText(problem));
    },
  };
}

/** Replaces the selection of the editor that had the focus last. Resolves with the reason why that was not possible. */
async function insertAtCursor(code: string): Promise<string | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.document.uri.scheme === 'output')
    return vscode.l10n.t('Open a file and put the cursor where the code goes.');
  // One step to undo.
  const isInserted = await editor.edit((builder) => builder.replace(editor.selection, code));
  if (!isInserted) return vscode.l10n.t('The code could not be inserted, because this editor is read-only.');
  await vscode.window.showTextDocument(editor.document, { viewColumn: editor.viewColumn ?? vscode.ViewColumn.Active });
  return undefined;
}

async function openNewFile({ code, language, path }: CodeUse): Promise<undefined> {
  const id = languageIdOf(language, path, await vscode.languages.getLanguages());
  const document = await vscode.workspace.openTextDocument({
    content: code,
    ...(id !== undefined && { language: id }),
  });
  await vscode.window.showTextDocument(document);
  return undefined;
}
