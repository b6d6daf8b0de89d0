import * as vscode from 'vscode';
import type { McpServerSummary } from '../../../mcp/mcpServers';
import { visibleText } from '../../../util/visibleText';
import type { WindowMcp } from '../../mcpServers/windowMcp';
import type { Command, CommandParts } from '../command';

interface ServerItem extends vscode.QuickPickItem {
  readonly server?: string;
}

interface ActionItem extends vscode.QuickPickItem {
  readonly run: () => Promise<void> | void;
}

/** Lists the MCP servers with their states, which follow what happens, and offers what can be done with each. */
export function showMcpServers({ host, log }: CommandParts): Command {
  return {
    id: 'openAgent.showMcpServers',
    async run() {
      const { mcp, reconfigure } = await host.get();
      const name = await chooseServer(mcp);
      if (name === undefined) return;
      const server = mcp.summaries.find((summary) => summary.name === name);
      if (!server) return openSetting();
      const action = await vscode.window.showQuickPick(
        actionsFor(server, { mcp, reconfigure, showLog: () => log.show() }),
        { title: `MCP Server ${name}`, placeHolder: stateText(server) },
      );
      await action?.run();
    },
  };
}

/** The name of the one that was picked; empty: what leads to the settings. */
function chooseServer(mcp: WindowMcp): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ServerItem>();
  pick.title = 'MCP Servers';
  pick.placeholder = 'Pick a server to start, restart or switch it off, or to see its log';
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
    label: '$(gear) Configure MCP Servers…',
    description: !isTrusted
      ? 'none is used in a workspace that is not trusted'
      : summaries.length === 0
        ? 'there is none yet'
        : '',
    ...(problems.length > 0 && { detail: plain(problems.join(' ')) }),
  };
}

interface ActionParts {
  readonly mcp: WindowMcp;
  readonly reconfigure: () => void;
  readonly showLog: () => void;
}

function actionsFor(
  { name, state, hasNewTools }: McpServerSummary,
  { mcp, reconfigure, showLog }: ActionParts,
): readonly ActionItem[] {
  const isOff = state.kind === 'off';
  const needsConsent = state.kind === 'needs_consent';
  const isRunning = state.kind === 'connected' || state.kind === 'starting';
  return [
    ...(hasNewTools
      ? [
          {
            label: '$(tools) Use Its New Tools Now',
            description: 'sessions under way read everything again',
            run: reconfigure,
          },
        ]
      : []),
    ...(needsConsent ? [{ label: '$(shield) Allow…', run: () => mcp.ask(name) }] : []),
    ...(isOff || needsConsent
      ? []
      : [{ label: isRunning ? '$(debug-restart) Restart' : '$(play) Start', run: () => mcp.restart(name) }]),
    {
      label: isOff ? '$(circle-large-outline) Switch On' : '$(circle-slash) Switch Off',
      run: () => mcp.switch(name, !isOff),
    },
    { label: '$(output) Show Log', run: showLog },
    { label: '$(gear) Open Settings', run: openSetting },
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
  const known = cost === undefined ? '' : `, ${toolCount(cost.tools)}, about ${cost.tokens} tokens in every prompt`;
  switch (state.kind) {
    case 'off':
      return 'switched off';
    case 'idle':
      return 'starts with the next prompt';
    case 'needs_consent':
      return state.isRefused ? 'you said: never' : 'needs your consent';
    case 'starting':
      return 'starting';
    case 'connected':
      return `connected${known}${hasNewTools ? '; it has other tools now' : ''}`;
    case 'failed':
      return `failed: ${state.reason}`;
    default:
      return state satisfies never;
  }
}

function toolCount(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`;
}

/** A configuration or a server may have any text, and $(name) would be shown as a picture. */
function plain(text: string): string {
  return visibleText(text.replaceAll('\n', ' '), 'path')
    .slice(0, 500)
    .replaceAll('$(', String.raw`\$(`);
}

async function openSetting(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', '@id:openAgent.mcpServers');
}
