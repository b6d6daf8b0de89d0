import * as vscode from 'vscode';
import { ModelOptionsTable, type ModelOptions } from '../../agent/servers/model/modelOptions';

/** Writes into the user's settings how one model calls tools. Keeps all other entries. */
export async function writeToolCalls(model: string, toolCalls: ModelOptions['toolCalls']): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const written = ModelOptionsTable.safeParse(configuration.inspect('modelOptions')?.globalValue ?? {});
  // An unreadable setting is left as it is, so nothing is lost.
  if (!written.success)
    throw new Error(vscode.l10n.t('openAgent.modelOptions in your settings is not valid. Correct it first.'));
  const { [model]: known, ...others } = written.data;
  const table = { ...others, [model]: { ...known, toolCalls } };
  await configuration.update('modelOptions', table, vscode.ConfigurationTarget.Global);
}
