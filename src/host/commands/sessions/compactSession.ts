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
    title: vscode.l10n.t('Compact Conversation'),
    prompt: vscode.l10n.t(
      'The model summarises the older messages. Name what the summary should keep above all (optional).',
    ),
    placeHolder: vscode.l10n.t('For example: the names of the failing tests'),
    validateInput: (value) =>
      value.length > MAX_FOCUS ? vscode.l10n.t('At most {0} characters.', MAX_FOCUS) : undefined,
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
    const message = vscode.l10n.t(
      'The agent is at work. Stop it or wait until it is done, then compact the conversation.',
    );
    void vscode.window.showInformationMessage(message);
  }
  return isIdle;
}
