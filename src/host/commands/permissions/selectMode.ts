import * as vscode from 'vscode';
import { type PermissionMode, modeText } from '../../../agent/view/permissionModes';
import type { WindowModels } from '../../openWindowModels';

interface ModeItem extends vscode.QuickPickItem {
  readonly mode: PermissionMode;
}

export async function selectMode({ agents }: Pick<WindowModels, 'agents'>): Promise<void> {
  const inUse = agents.current.configuration.permissionMode;
  const items = agents.modes.map((mode): ModeItem => {
    const { label, detail } = modeText(mode);
    return { mode, label, detail, ...(mode === inUse && { description: vscode.l10n.t('in use') }) };
  });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('How far may the agent go by itself?'),
    placeHolder: vscode.l10n.t('Applies in this workspace, at once'),
    matchOnDetail: true,
  });
  if (chosen) await agents.chooseMode(chosen.mode);
}
