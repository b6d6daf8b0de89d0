import * as vscode from 'vscode';
import type { McpServerSummary } from '../../../mcp/mcpServers';
import { pickText } from '../../notificationText';
import type { WindowMcp } from '../../mcpServers/windowMcp';
import type { Sessions } from '../../sessions/openSessions';
import type { OutputLog } from '../../outputLog';

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: string;
}

type ShowMcpServersParts = Pick<Sessions, 'mcp' | 'registry'> & { readonly log: OutputLog };

interface ActionItem extends vscode.QuickPickItem {
  readonly run: () => Promise<void> | void;
}

/** Lists the MCP servers with their current states, and offers actions for the picked one. */
export async function showMcpServers({ mcp, registry, log }: ShowMcpServersParts): Promise<void> {
  const name = await chooseServer(mcp);
  if (name === undefined) return;
  const server = mcp.summaries.find((summary) => summary.name === name);
  if (!server) return openSetting();
  const action = await vscode.window.showQuickPick(actionsFor(server, { mcp, registry, log }), {
    title: vscode.l10n.t('MCP Server {0}', name),
    placeHolder: stateText(server),
  });
  await action?.run();
}

/** The name of the picked server. Empty: the item that opens the settings. `undefined`: none. */
function chooseServer(mcp: WindowMcp): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ServerItem>();
  pick.title = vscode.l10n.t('MCP Servers');
  pick.placeholder = vscode.l10n.t('Pick a server to start, restart or switch it off, or to see its log');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const show = (): void => {
    const [active] = pick.activeItems;
    pick.items = [...mcp.summaries.map(serverItem), settingsItem(mcp)];
    const again = active && pick.items.find(({ server }) => server === active.server);
    if (again) pick.activeItems = [again];
  };
  const subscription = mcp.onChange(show);
  return new Promise((resolve) => {
    pick.onDidAccept(() => {
      const [chosen] = pick.selectedItems;
      resolve(chosen && (chosen.server ?? ''));
      pick.hide();
    });
    pick.onDidHide(() => {
      resolve(undefined);
      subscription.dispose();
      pick.dispose();
    });
    show();
    pick.show();
  });
}

function serverItem(summary: McpServerSummary): ServerItem {
  const { name, description } = summary;
  return {
    server: name,
    label: `$(${icons[summary.state.kind]}) ${name}`,
    description: plain(stateText(summary)),
    detail: plain(description.replaceAll('\n', ' · ')),
  };
}

function settingsItem({ summaries, problems }: WindowMcp): ServerItem {
  const { isTrusted } = vscode.workspace;
  return {
    label: `$(gear) ${vscode.l10n.t('Configure MCP Servers…')}`,
    description: !isTrusted
      ? vscode.l10n.t('not used in an untrusted workspace')
      : summaries.length === 0
        ? vscode.l10n.t('none yet')
        : '',
    ...(problems.length > 0 && { detail: plain(problems.join(' ')) }),
  };
}

function actionsFor(
  { name, state, hasNewTools }: McpServerSummary,
  { mcp, registry, log }: ShowMcpServersParts,
): readonly ActionItem[] {
  const isOff = state.kind === 'off';
  const needsConsent = state.kind === 'needs_consent';
  const isRunning = state.kind === 'connected' || state.kind === 'starting';
  return [
    ...(hasNewTools
      ? [
          {
            label: `$(tools) ${vscode.l10n.t('Use Its New Tools Now')}`,
            description: vscode.l10n.t('open sessions read everything again'),
            run: () => registry.reconfigure(),
          },
        ]
      : []),
    ...(needsConsent ? [{ label: `$(shield) ${vscode.l10n.t('Allow…')}`, run: () => mcp.ask(name) }] : []),
    ...(isOff || needsConsent
      ? []
      : [
          {
            label: isRunning ? `$(debug-restart) ${vscode.l10n.t('Restart')}` : `$(play) ${vscode.l10n.t('Start')}`,
            run: () => mcp.restart(name),
          },
        ]),
    {
      label: isOff
        ? `$(circle-large-outline) ${vscode.l10n.t('Switch On')}`
        : `$(circle-slash) ${vscode.l10n.t('Switch Off')}`,
      run: () => mcp.switch(name, !isOff),
    },
    { label: `$(output) ${vscode.l10n.t('Show Log')}`, run: () => log.show() },
    { label: `$(gear) ${vscode.l10n.t('Open Settings')}`, run: openSetting },
  ];
}

const icons = {
  off: 'circle-slash',
  idle: 'circle-outline',
  needs_consent: 'shield',
  starting: 'sync',
  connected: 'pass',
  failed: 'error',
} as const;

function stateText({ state, hasNewTools, cost }: McpServerSummary): string {
  switch (state.kind) {
    case 'off':
      return vscode.l10n.t('switched off');
    case 'idle':
      return vscode.l10n.t('starts with the next prompt');
    case 'needs_consent':
      return state.isRefused ? vscode.l10n.t('you chose Never') : vscode.l10n.t('needs your consent');
    case 'starting':
      return vscode.l10n.t('starting');
    case 'connected': {
      const connected =
        cost === undefined
          ? vscode.l10n.t('connected')
          : vscode.l10n.t('connected, {0}, about {1} tokens in every prompt', toolCount(cost.tools), cost.tokens);
      return hasNewTools ? vscode.l10n.t('{0}; its tools have changed', connected) : connected;
    }
    case 'failed':
      return vscode.l10n.t('failed: {0}', state.reason);
    default:
      return state satisfies never;
  }
}

function toolCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 tool') : vscode.l10n.t('{0} tools', count);
}

function plain(text: string): string {
  return pickText(text.replaceAll('\n', ' ')).slice(0, 500);
}

async function openSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@id:openAgent.mcpServers');
}
