import * as vscode from 'vscode';
import { AgentError } from '../../../sdk/errors';
import { normalizeBaseUrl } from '../../../sdk/model/http/baseUrl';
import type { WindowModels } from '../../openWindowModels';
import type { PanelController } from '../../panel/panelController';

/** Asks for the address of a model server, writes it into the user's settings, and shows in the panel how the server answers. */
export async function setAddress(
  { server }: Pick<WindowModels, 'server'>,
  panel: Pick<PanelController, 'reveal'>,
): Promise<void> {
  const typed = await vscode.window.showInputBox({
    title: vscode.l10n.t('Address of the Model Server'),
    prompt: vscode.l10n.t('Host and port are enough. Nothing is sent before you press Enter.'),
    placeHolder: vscode.l10n.t('127.0.0.1:8080, gpu.example:8000/v1 or ollama'),
    value: server.baseUrl ?? '',
    ignoreFocusOut: true,
    validateInput: problemOf,
  });
  if (typed === undefined) return;
  const baseUrl = normalizeBaseUrl(typed);
  await vscode.workspace.getConfiguration('openAgent').update('baseUrl', baseUrl, vscode.ConfigurationTarget.Global);
  // The same address again: nothing else makes it look.
  await server.refresh();
  await panel.reveal();
}

function problemOf(text: string): string | undefined {
  if (text.trim() === '') return vscode.l10n.t('Type an address, or press Escape.');
  try {
    normalizeBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof AgentError) return error.message;
    throw error;
  }
}
