import * as vscode from 'vscode';
import { pickText } from '../../notificationText';
import type { OfferedTool } from '../../vscodeTools/vscodeTools';
import type { Sessions } from '../../sessions/openSessions';

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: OfferedTool;
}

/** Lets the person tick the tools of other extensions that the agent may use. */
export async function selectExtensionTools({ vscodeTools }: Pick<Sessions, 'vscodeTools'>): Promise<void> {
  const { offered } = vscodeTools;
  if (offered.length === 0) {
    const message = vscode.l10n.t(
      'No other extension offers tools now. Tools of an MCP server in VS Code’s own configuration appear when the server runs.',
    );
    await vscode.window.showInformationMessage(message);
    return;
  }
  const chosen = await vscode.window.showQuickPick(offered.map(itemOf), {
    title: vscode.l10n.t('Tools of Other Extensions'),
    placeHolder: vscode.l10n.t('The agent may use the ticked tools, from the next message on. Every call asks'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (!chosen) return;
  await vscodeTools.choose(
    chosen.map(({ tool }) => tool.key),
    offered,
  );
}

function itemOf(tool: OfferedTool): ToolItem {
  const { name, extension, description, isOn } = tool;
  return {
    tool,
    label: pickText(name),
    description:
      extension === null ? vscode.l10n.t('VS Code, or an MCP server of its configuration') : pickText(extension),
    detail: pickText(description.replaceAll(/\s+/g, ' ').slice(0, 200)),
    picked: isOn,
  };
}
