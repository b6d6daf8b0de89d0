import * as vscode from 'vscode';
import type { AgentSelection } from '../../settings/agentSelection';
import type { WindowModels } from '../../openWindowModels';

interface ChoiceItem extends vscode.QuickPickItem {
  readonly choose?: (agents: AgentSelection) => Promise<void>;
}

export async function selectProfile({ agents }: Pick<WindowModels, 'agents'>): Promise<void> {
  const { profiles, agents: definitions } = agents.offered;
  if (profiles.length === 0 && definitions.length === 0) return offerSettings();
  const chosen = await vscode.window.showQuickPick(items(agents), {
    title: vscode.l10n.t('Agent and Profile'),
    placeHolder: vscode.l10n.t('Used in this workspace from the next message on'),
    matchOnDetail: true,
  });
  await chosen?.choose?.(agents);
}

function items({ offered, current }: AgentSelection): readonly ChoiceItem[] {
  const { profileId, agentId } = current.configuration;
  const inUse = (isInUse: boolean) => (isInUse ? { description: vscode.l10n.t('in use') } : {});
  const agents = offered.agents.map(({ id, description = '' }): ChoiceItem => ({
    label: id,
    detail: description,
    ...inUse(id === agentId),
    choose: (selection) => selection.chooseAgent(id),
  }));
  const profiles = offered.profiles.map(({ id, model, baseUrl }): ChoiceItem => ({
    label: id,
    detail: vscode.l10n.t('{0} at {1}', model, baseUrl),
    ...inUse(id === profileId),
    choose: (selection) => selection.chooseProfile(id),
  }));
  const noAgent: ChoiceItem = {
    label: vscode.l10n.t('No agent'),
    ...inUse(agentId === undefined),
    choose: (selection) => selection.chooseAgent(''),
  };
  const noProfile: ChoiceItem = {
    label: vscode.l10n.t('No profile'),
    detail: vscode.l10n.t('Server and model of the settings'),
    ...inUse(profileId === undefined),
    choose: (selection) => selection.chooseProfile(''),
  };
  return [
    ...(agents.length === 0 ? [] : [heading(vscode.l10n.t('Agents')), ...agents, noAgent]),
    ...(profiles.length === 0 ? [] : [heading(vscode.l10n.t('Profiles')), ...profiles, noProfile]),
  ];
}

function heading(label: string): ChoiceItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

async function offerSettings(): Promise<void> {
  const action = vscode.l10n.t('Open Settings');
  const message = vscode.l10n.t(
    'There are no profiles or agents yet. Add them in the settings, under Open Agent: Profiles.',
  );
  if ((await vscode.window.showInformationMessage(message, action)) !== action) return;
  await vscode.commands.executeCommand('workbench.action.openSettings', 'openAgent.profiles');
}
