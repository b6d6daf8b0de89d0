import * as vscode from 'vscode';
import type { Lazy } from '../../util/lazy';

/** As in package.json. */
const participantId = 'openAgent.agent';

/** Makes `@openagent` in VS Code's chat view the agent of the panel. The first message loads it. */
export function registerParticipant(
  host: Lazy<{ readonly answerInChat: vscode.ChatRequestHandler }>,
  extensionUri: vscode.Uri,
): vscode.Disposable {
  const participant = vscode.chat.createChatParticipant(participantId, async (request, context, stream, token) =>
    (await host.get()).answerInChat(request, context, stream, token),
  );
  participant.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'icon.svg');
  return participant;
}
