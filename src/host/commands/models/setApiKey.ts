import * as vscode from 'vscode';
import type { WindowModels } from '../../openWindowModels';
import type { Sessions } from '../../sessions/openSessions';

export async function setApiKey({
  server,
  access: { keys },
  laptop,
  registry,
}: Pick<WindowModels, 'server' | 'access' | 'laptop'> & Pick<Sessions, 'registry'>): Promise<void> {
  await server.ensure();
  const { baseUrl } = server;
  const origin = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl).origin : undefined;
  if (baseUrl === undefined || origin === undefined) return askForAddress();
  if (laptop.isOn) {
    if (await laptop.changeKey(origin)) await server.refresh();
    return;
  }
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API Key for {0}', origin),
    prompt: vscode.l10n.t(
      'Kept in the secret storage of VS Code and sent to this server only. Leave empty to remove the key.',
    ),
    password: true,
    ignoreFocusOut: true,
  });
  if (key === undefined) return;
  const change = await keys.set(baseUrl, key);
  if (!change.ok) throw new Error(change.error);
  registry.reconfigure();
  await server.refresh();
}

async function askForAddress(): Promise<void> {
  const action = vscode.l10n.t('Open Settings');
  const message = vscode.l10n.t(
    'An API key belongs to a server, and none is set or found. Set the address of the server first.',
  );
  if ((await vscode.window.showInformationMessage(message, action)) === action) {
    await vscode.commands.executeCommand('openAgent.openSettings');
  }
}
