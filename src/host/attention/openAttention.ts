import * as vscode from 'vscode';
import type { DisposableStore } from '../../util/disposable';
import { systemTimer } from '../../util/timer';
import type { WindowModels } from '../openWindowModels';
import type { PanelController } from '../panel/panelController';
import { showPanel } from '../panel/showPanel';
import type { Sessions } from '../sessions/openSessions';
import { readAttentionSettings } from '../settings/attentionSettings';
import { Attention } from './attention';
import { VscodeAttention } from './attentionWindow';

export interface OpenAttentionParts {
  readonly models: WindowModels;
  readonly sessions: Sessions;
  readonly panel: PanelController;
  /** Disposes the parts when the window closes. */
  readonly owned: DisposableStore;
  readonly onInternalError: (error: unknown) => void;
}

/** Composes what tells the person that something waits. */
export function openAttention({ models, sessions, panel, owned, onInternalError }: OpenAttentionParts): Attention {
  const window = owned.add(new VscodeAttention({ showBadge: (badge) => panel.showBadge(badge) }));
  const attention = owned.add(
    new Attention({
      registry: sessions.registry,
      server: models.server,
      mcp: sessions.mcp,
      window,
      settings: readAttentionSettings,
      isShown: (sessionId) => panel.isShown(sessionId),
      isActive: (sessionId) => panel.isActive(sessionId),
      showSession: async (sessionId) => {
        await panel.showSession(sessionId);
        await showPanel();
      },
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
