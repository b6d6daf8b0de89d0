import assert from 'node:assert/strict';
import { useChatWindow } from '../../support/window/chatWindow';
import { Chat } from '../support/chat';

/** The address of a cloud's credentials (169.254.169.254), behind the prefix of a NAT64 gateway. */
const METADATA = 'http://[64:ff9b::a9fe:a9fe]/mcp';

describe('an MCP server at a link-local address, in the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/a.ts': 'let a = 1;\n' },
    settings: { 'openAgent.mcpServers': { cloud: { url: METADATA } } },
  });
  const chat = new Chat(() => window.workbench);
  const rows = () => window.workbench.page.locator('.quick-input-widget .monaco-list-row');

  it('is refused, and the panel and the list of servers say why', async () => {
    await chat.show();
    await window.ask('Hi', { text: 'Hello.' });
    const dialog = window.workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('Use the MCP server "cloud"?').waitFor();
    assert.match(await dialog.innerText(), /64:ff9b::a9fe:a9fe/);
    await dialog.getByRole('button', { name: 'Allow' }).click();
    await window.panel
      .getByText('cloud is not available: 64:ff9b::a9fe:a9fe is or leads to a link-local address.', { exact: false })
      .waitFor();
    await window.untilAnswered('Hello.');
    await window.workbench.screenshot('mcp-link-local');
    const names = ((await window.request(1)).body.tools ?? []).map((tool) => tool.function.name);
    assert.deepEqual(
      names.filter((name) => name.startsWith('mcp__')),
      [],
    );

    await window.workbench.startCommand('Open Agent: MCP Servers');
    const row = rows().filter({ hasText: 'cloud' }).first();
    await row.getByText('a link-local address', { exact: false }).waitFor();
    await window.workbench.screenshot('mcp-link-local-list');
    await window.workbench.page.keyboard.press('Escape');
  });
});
