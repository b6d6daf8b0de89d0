import * as vscode from 'vscode';
import type { PanelController } from '../../panel/panelController';
import { PanelView } from '../../panel/page/panelView';

interface Parts {
  readonly panel: PanelController;
}

export async function newSession({ panel }: Parts): Promise<void> {
  await panel.newSession();
  await panel.reveal();
  panel.focusComposer();
}

export async function focusChat({ panel }: Parts): Promise<void> {
  await panel.reveal();
  panel.focusComposer();
}

/**
 * Moves the view into one of the containers that package.json declares. VS Code remembers the place. A container without
 * views is hidden.
 */
export async function moveChat({ panel }: Parts, container: 'openAgent' | 'openAgentSecondary'): Promise<void> {
  await vscode.commands.executeCommand('vscode.moveViews', {
    viewIds: [PanelView.viewId],
    destinationId: `workbench.view.extension.${container}`,
  });
  await focusChat({ panel });
}

/** Checks the server and the model in use, and reports in the panel. */
export async function checkServer({ panel }: Parts): Promise<void> {
  await panel.reveal();
  panel.checkServer();
}
