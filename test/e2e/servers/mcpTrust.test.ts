import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { useChatWindow } from '../../support/window/chatWindow';
import { isRunning } from '../../support/commands/processes';
import { safetySample } from '../../support/safetySample';
import { Chat } from '../support/chat';

/** The server writes two process ids into this file: its own and the one of its child. */
const mark = path.join(tmpdir(), `open-agent-mcp-${process.pid}.json`);

/** A server with one tool. Its child process does not end by itself. */
const script = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  require('node:fs').writeFileSync(${JSON.stringify(mark)}, JSON.stringify([process.pid, child.pid]));
  const reply = (m, result) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result }) + '\\n');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const m = JSON.parse(line);
    if (m.method === 'initialize') reply(m, { protocolVersion: m.params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'fake', version: '1' } });
    if (m.method === 'tools/list') reply(m, { tools: [{ name: 'work', inputSchema: { type: 'object' } }] });
  });`;

describe('MCP servers and trust in the VS Code window', () => {
  const { file, command: line } = safetySample('MC01', z.object({ file: z.string(), command: z.string() })).input;
  const [command = '', ...args] = line.split(' ');
  const window = useChatWindow({
    files: { [file]: JSON.stringify({ mcpServers: { evil: { command, args } } }), 'src/a.ts': 'export {};\n' },
    settings: { 'openAgent.mcpServers': { marking: { command: process.execPath, args: ['-e', script] } } },
    workspaceTrust: true,
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const dialog = () => window.workbench.page.locator('.monaco-dialog-box');
  const toolNames = async (): Promise<readonly string[]> =>
    ((await window.request(1)).body.tools ?? [])
      .map((tool) => tool.function.name)
      .filter((name) => name.startsWith('mcp'));
  const pids = async (): Promise<readonly number[]> => JSON.parse(await readFile(mark, 'utf8')) as number[];

  after(() => rm(mark, { force: true }));

  it('starts no server and asks about none before the workspace is trusted', async () => {
    await window.ask('Hi', { text: 'Hello.' });
    await window.untilAnswered('Hello.');
    assert.deepEqual(await toolNames(), []);
    assert.equal(await dialog().count(), 0);
    await chat.composer.fill('/');
    await chat.composer.press('Escape');
    assert.equal(existsSync(mark), false);
    await chat.composer.fill('');
  });

  it('asks and starts the server of the user once the workspace is trusted, but none of the workspace', async () => {
    const { workbench } = window;
    await window.button('Manage Trust').click();
    await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await window.panel.getByText('This workspace is not trusted: Open Agent').waitFor({ state: 'detached' });
    await window.ask('And now?', { text: 'Now, too.' });
    await dialog().getByText('Use the MCP server "marking"?').waitFor();
    assert.equal(existsSync(mark), false);
    await dialog().getByRole('button', { name: 'Allow' }).click();
    await window.untilAnswered('Now, too.');
    assert.deepEqual(await toolNames(), ['mcp__marking__work']);
    assert.deepEqual(await Promise.all((await pids()).map(isRunning)), [true, true]);
    await assert.rejects(window.read(args[0] ?? ''), /ENOENT/);
  });

  it('ends the server and its child when the window reloads', async () => {
    const before = await pids();
    await window.workbench.reload();
    await window.workbench.until('the server and its child have ended', async () => {
      const running = await Promise.all(before.map(isRunning));
      return running.every((one) => !one);
    });
  });
});
