import * as vscode from 'vscode';
import { visibleText } from '../../../util/visibleText';
import type { OfferedTool } from '../../vscodeTools/vscodeTools';
import type { Command, CommandParts } from '../command';

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: OfferedTool;
}

/** Has the person switch on, one by one, tools that VS Code knows of. */
export function selectExtensionTools({ host }: CommandParts): Command {
  return {
    id: 'openAgent.selectExtensionTools',
    async run() {
      const { vscodeTools } = await host.get();
      const { offered } = vscodeTools;
      if (offered.length === 0) {
        const message =
          'No other extension offers tools now. Those of an MCP server in VS Code’s own configuration come with the server: start it first.';
        await vscode.window.showInformationMessage(message);
        return;
      }
      const chosen = await vscode.window.showQuickPick(offered.map(itemOf), {
        title: 'Tools of Other Extensions',
        placeHolder: 'The agent may use what is ticked, from the next message on. Every call asks',
        canPickMany: true,
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (!chosen) return;
      await vscodeTools.choose(
        chosen.map(({ tool }) => tool.key),
        offered,
      );
    },
  };
}

function itemOf(tool: OfferedTool): ToolItem {
  const { name, extension, description, isOn } = tool;
  return {
    tool,
    label: shown(name),
    description: extension === null ? 'VS Code, or an MCP server of its configuration' : shown(extension),
    detail: shown(description.replaceAll(/\s+/g, ' ').slice(0, 200)),
    picked: isOn,
  };
}

/** An extension may say anything of its tools, and $(name) would be shown as a picture. */
function shown(text: string): string {
  return visibleText(text, 'path').replaceAll('$(', String.raw`\$(`);
}
