import * as vscode from 'vscode';
import type { AgentSession } from '../../../agent/session/agentSession';
import type { SessionRegistry } from '../../../agent/session/sessionRegistry';
import type { PanelController } from '../../panel/panelController';

/** Asks what to keep, and lets the model summarise the older part of the session. */
export async function compactSession(
  {
    panel,
    registry,
  }: { readonly panel: Pick<PanelController, 'reveal'>; readonly registry: Pick<SessionRegistry, 'open'> },
  id: string,
): Promise<void> {
  const session = await registry.open(id);
  if (!canCompact(session)) return;
  const focus = await vscode.window.showInputBox({
    title: 'Compact Conversation',
    prompt: 'The model summarises the older messages. Name what the summary should keep above all (optional).',
    placeHolder: 'For example: the names of the failing tests',
    validateInput: (value) => (value.length > MAX_FOCUS ? `At most ${MAX_FOCUS} characters.` : undefined),
  });
  if (focus === undefined) return;
  await panel.reveal();
  // A run may have begun meanwhile.
  if (canCompact(session)) await session.compact(focus.trim() || undefined);
}

const MAX_FOCUS = 1_000;

/** During a run a message says why nothing happens. */
function canCompact({ view }: AgentSession): boolean {
  const isIdle = view.state === 'idle';
  if (!isIdle) {
    const message = 'The agent is at work. Stop it or wait until it is done, then compact the conversation.';
    void vscode.window.showInformationMessage(message);
  }
  return isIdle;
}
