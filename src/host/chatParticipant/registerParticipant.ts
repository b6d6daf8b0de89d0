import * as vscode from 'vscode';
import type { LazyHost } from '../lazyHost';

/** As in package.json. */
const participantId = 'openAgent.agent';

/** Makes `@openagent` in VS Code's chat view the same agent as in the panel. It is loaded with the first message. */
export function registerParticipant(host: LazyHost, extensionUri: vscode.Uri): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, async (request, context, stream, token) =>
    (await host.get()).answerInChat(request, context, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
  return participant;
}
