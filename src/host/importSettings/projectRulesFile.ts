import * as vscode from 'vscode';
import { mayTakeRules } from '../../agent/importSettings/rulesFile';

const FILE = 'AGENTS.md';

/** The text of the file in each folder that has one, with unsaved changes. */
export async function projectRulesOf(folders: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(
    folders.map(async (folder) => {
      const uri = fileOf(folder);
      if (!(await exists(uri)) || !(await mayTakeRules(uri.fsPath))) return undefined;
      const text = await vscode.workspace.openTextDocument(uri).then(
        (document) => document.getText(),
        () => undefined,
      );
      return text === undefined ? undefined : ([folder, text] as const);
    }),
  );
  return new Map(texts.filter((one) => one !== undefined));
}

/**
 * Opens the file of each folder with the rules at its end, not saved. The person saves it, or does not. A file that leads
 * elsewhere stays as it is: the rules are shown alone.
 */
export async function proposeProjectRules(
  rules: readonly { readonly folder: string; readonly text: string }[],
): Promise<void> {
  for (const folder of new Set(rules.map((rule) => rule.folder))) {
    const uri = fileOf(folder);
    const texts = rules.filter((rule) => rule.folder === folder).map(({ text }) => text);
    const isThere = await exists(uri);
    const document = (await mayTakeRules(uri.fsPath))
      ? await vscode.workspace.openTextDocument(isThere ? uri : uri.with({ scheme: 'untitled' }))
      : await vscode.workspace.openTextDocument({ language: 'markdown' });
    const end = document.lineAt(document.lineCount - 1).range.end;
    const before = document.getText().trim() === '' ? '' : '\n';
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, end, `${before}${texts.join('\n\n')}\n`);
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document, { preview: false });
  }
}

function fileOf(folder: string): vscode.Uri {
  return vscode.Uri.joinPath(vscode.Uri.file(folder), FILE);
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}
