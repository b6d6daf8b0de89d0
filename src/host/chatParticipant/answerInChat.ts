import * as vscode from 'vscode';
import type { AgentSession } from '../../agent/session/agentSession';
import type { ChatSessions } from '../../agent/session/chatSessions';
import type { SessionRegistry } from '../../agent/session/sessionRegistry';
import type { WorkspaceAccess } from '../../workspace/tools/workspaceAccess';
import { signalOf } from '../cancellation';
import { ChatAnswer } from './chatAnswer';
import { readReferences } from './chatReferences';

export interface AnswerInChatParts {
  readonly registry: SessionRegistry;
  readonly chatSessions: ChatSessions;
  readonly access: WorkspaceAccess;
}

/**
 * Answers in VS Code's chat view. Each of its conversations has a session of ours, which stays in the history.
 * Questions are asked in the panel; nothing in the chat view can answer them.
 */
export function createAnswerInChat({ registry, chatSessions, access }: AnswerInChatParts): vscode.ChatRequestHandler {
  return async ({ prompt, references }, context, stream, token) => {
    const session = await sessionOf(context, registry);
    const { context: attached, left } = await readReferences(references, access);
    if (left.length > 0) stream.progress(vscode.l10n.t('Not sent along: {0}.', left.join('; ')));
    const cancellation = signalOf(token);
    const mark = chatSessions.begin(session.id);
    const answer = new ChatAnswer({
      text: (markdown) => stream.markdown(untrusted(markdown)),
      progress: (message) => stream.progress(message),
      question: () =>
        stream.button({
          command: 'openAgent.showSession',
          title: vscode.l10n.t('Show Question'),
          arguments: [session.id],
        }),
    });
    const subscription = session.onEvent((event) => answer.take(event));
    const stop = (): void => void session.stop();
    cancellation.signal.addEventListener('abort', stop, { once: true });
    try {
      if (!cancellation.signal.aborted) {
        await session.submit({ text: prompt, context: attached });
        await session.whenIdle();
      }
    } finally {
      cancellation.signal.removeEventListener('abort', stop);
      subscription.dispose();
      mark.dispose();
      cancellation.dispose();
    }
    const { error } = answer;
    return { metadata: { sessionId: session.id }, ...(error !== undefined && { errorDetails: { message: error } }) };
  };
}

/** The session of this conversation, when it can still be written; otherwise a new one. */
async function sessionOf({ history }: vscode.ChatContext, registry: SessionRegistry): Promise<AgentSession> {
  const turns = history.filter((turn) => turn instanceof vscode.ChatResponseTurn);
  const id: unknown = turns.at(-1)?.result.metadata?.['sessionId'];
  if (typeof id !== 'string') return registry.create();
  try {
    const session = await registry.open(id);
    return session.view.readOnly ? await registry.create() : session;
  } catch {
    // The session was deleted or belongs to another workspace.
    return registry.create();
  }
}

/** A model's text: its links work, but no commands, HTML or icons. */
function untrusted(markdown: string): vscode.MarkdownString {
  const text = new vscode.MarkdownString(markdown, false);
  text.isTrusted = false;
  text.supportHtml = false;
  return text;
}
