import * as vscode from 'vscode';
import { selectionContext } from '../../agent/prompts/selection';
import type { PromptContext } from '../../agent/prompts/promptContext';
import { messageOf } from '../../util/errors';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { displayPathOf } from '../workspace/displayPathOf';
import { lookForSecrets } from '../workspace/secretFiles';

const MAX_REFERENCES = 20;
/** For all references together: a small model's window must hold the answer too. */
const MAX_CHARACTERS = 60_000;

/**
 * Reads the attachments of a message in VS Code's chat. Attaching a file is the person's own act, so files outside the
 * workspace are sent too. Files that may hold secrets are not, by whatever name. `left`: why the others are not sent, as
 * texts for people.
 */
export async function readReferences(
  references: readonly vscode.ChatPromptReference[],
  access: WorkspaceAccess,
): Promise<{ readonly context: readonly PromptContext[]; readonly left: readonly string[] }> {
  const context: PromptContext[] = [];
  const left: string[] = [];
  let characters = 0;
  for (const { value, modelDescription } of references) {
    const read = await readReference(value, modelDescription ?? 'Attached', access);
    if (!read) continue;
    if ('problem' in read) left.push(read.problem);
    else if (context.length >= MAX_REFERENCES || characters + read.content.length > MAX_CHARACTERS) {
      left.push(vscode.l10n.t('{0} is too large together with the rest', read.label));
    } else {
      context.push(read);
      characters += read.content.length;
    }
  }
  return { context, left };
}

async function readReference(
  value: unknown,
  description: string,
  access: WorkspaceAccess,
): Promise<PromptContext | { readonly problem: string } | undefined> {
  if (typeof value === 'string') {
    return value.trim() === '' ? undefined : { label: description, content: `${description}:\n${value}` };
  }
  const uri = value instanceof vscode.Uri ? value : value instanceof vscode.Location ? value.uri : undefined;
  if (!uri) return { problem: vscode.l10n.t('{0} is of a type that this agent cannot read', description) };
  const name = displayPathOf(uri);
  try {
    const problem = await findProblem(uri, name, access);
    if (problem !== undefined) return { problem };
    const document = await vscode.workspace.openTextDocument(uri);
    const range = value instanceof vscode.Location ? value.range : undefined;
    const startLine = (range?.start.line ?? 0) + 1;
    const endLine = Math.min((range?.end.line ?? document.lineCount - 1) + 1, document.lineCount);
    return selectionContext({
      displayPath: name,
      languageId: document.languageId,
      startLine,
      endLine,
      text: document.getText(new vscode.Range(startLine - 1, 0, endLine - 1, document.lineAt(endLine - 1).text.length)),
      isUnsaved: document.isDirty,
    });
  } catch (error) {
    // A folder, a binary file or a missing file.
    return { problem: vscode.l10n.t('{0} cannot be read as text: {1}', name, messageOf(error)) };
  }
}

/** Why the file must not be sent. */
async function findProblem(
  uri: vscode.Uri,
  name: string,
  { ports, roots }: WorkspaceAccess,
): Promise<string | undefined> {
  const look = await lookForSecrets(uri, { roots: roots(), fileSystem: ports.fileSystem });
  if (!look.ok) return vscode.l10n.t('{0} cannot be read as text: {1}', name, look.error);
  return look.mayHoldSecrets ? vscode.l10n.t('{0} may hold secrets', name) : undefined;
}
