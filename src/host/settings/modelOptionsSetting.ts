import * as vscode from 'vscode';
import { ModelOptionsTable, type ModelOptions } from '../../agent/servers/model/modelOptions';

/** Writes, for one model, how it calls tools into the user's settings; what else stands there stays. */
export async function writeToolCalls(model: string, toolCalls: ModelOptions['toolCalls']): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const written = ModelOptionsTable.safeParse(configuration.inspect('modelOptions')?.globalValue ?? {});
  // Rather than losing what somebody wrote there.
  if (!written.success) throw new Error('openAgent.modelOptions in your settings cannot be read. Correct it first.');
  const { [model]: known, ...others } = written.data;
  const table = { ...others, [model]: { ...known, toolCalls } };
  await configuration.update('modelOptions', table, vscode.ConfigurationTarget.Global);
}
