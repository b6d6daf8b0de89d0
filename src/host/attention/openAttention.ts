import * as vscode from 'vscode';
import type { DisposableStore } from '../../util/disposable';
import { systemTimer } from '../../util/timer';
import type { WindowModels } from '../openWindowModels';
import type { Panels } from '../panel/panels';
import type { Sessions } from '../sessions/openSessions';
import { readAttentionSettings } from '../settings/attentionSettings';
import { Attention } from './attention';
import { VscodeAttention } from './attentionWindow';

export interface OpenAttentionParts {
  readonly models: WindowModels;
  readonly sessions: Sessions;
  readonly panels: Panels;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Composes what tells the person that something waits. */
export function openAttention({ models, sessions, panels, owned, onInternalError }: OpenAttentionParts): Attention {
  const window = owned.add(new VscodeAttention({ showBadge: (badge) => panels.sideBar.showBadge(badge) }));
  const attention = owned.add(
    new Attention({
      registry: sessions.registry,
      server: models.server,
      mcp: sessions.mcp,
      window,
      settings: readAttentionSettings,
      isShown: (sessionId) => panels.isShown(sessionId),
      isActive: (sessionId) => panels.isActive(sessionId),
      showSession: (sessionId) => panels.showSession(sessionId),
      isPanelShown: () => panels.isAnyShown,
      showServers: async () => void (await vscode.commands.executeCommand('openAgent.showMcpServers')),
      setTimer: systemTimer,
      onInternalError,
    }),
  );
  owned.add(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('openAgent.notifications')) attention.show();
    }),
  );
  return attention;
}
