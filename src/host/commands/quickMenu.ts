import * as vscode from 'vscode';
import type { Attention } from '../attention/attention';
import type { EndpointAction, WindowEndpoint } from '../endpoint/openEndpoint';
import type { Panels } from '../panel/panels';
import type { AgentCommand, WindowCommand } from './commandTable';

export interface QuickMenuParts {
  readonly attention: Pick<Attention, 'questions' | 'isRunning'>;
  readonly panels: Pick<Panels, 'showSession'>;
  /** `undefined`: the endpoint was not used yet. */
  readonly endpoint: WindowEndpoint | undefined;
}

/** Leads to what waits. If nothing waits, offers the usual commands, and those of the endpoint while it serves. */
export async function quickMenu({ attention, panels, endpoint }: QuickMenuParts): Promise<void> {
  const [first] = attention.questions;
  if (first?.kind === 'mcp') return run('showMcpServers');
  if (first?.sessionId !== undefined) return panels.showSession(first.sessionId);
  const command = (label: string, name: AgentCommand | WindowCommand): EndpointAction => ({
    label,
    run: () => run(name),
  });
  const actions = [
    command(`$(comment-discussion) ${vscode.l10n.t('Open Chat')}`, 'focusChat'),
    command(`$(add) ${vscode.l10n.t('New Session')}`, 'newSession'),
    ...(attention.isRunning ? [command(`$(debug-stop) ${vscode.l10n.t('Stop')}`, 'stop')] : []),
    command(`$(robot) ${vscode.l10n.t('Select Model…')}`, 'selectModel'),
    command(`$(desktop-download) ${vscode.l10n.t('Set Up a Model on This Machine…')}`, 'setUpModel'),
    command(`$(shield) ${vscode.l10n.t('Select Mode…')}`, 'selectMode'),
    command(`$(pulse) ${vscode.l10n.t('Check Server and Model')}`, 'checkServer'),
    ...(endpoint?.actions ?? [command(`$(broadcast) ${vscode.l10n.t("Serve This Workspace's Agent")}`, 'serve')]),
    command(`$(gear) ${vscode.l10n.t('Settings')}`, 'openSettings'),
    command(`$(output) ${vscode.l10n.t('Show Log')}`, 'showLog'),
  ];
  const picked = await vscode.window.showQuickPick(actions, { title: 'Open Agent' });
  await picked?.run();
}

async function run(name: AgentCommand | WindowCommand): Promise<void> {
  await vscode.commands.executeCommand(`openAgent.${name}`);
}
