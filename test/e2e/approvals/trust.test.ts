import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as z from 'zod';
import { useChatWindow } from '../../support/window/chatWindow';
import type { Turn } from '../../support/servers/modelServer';
import { isRunning } from '../../support/commands/processes';
import { proving, safetySample } from '../../support/safetySample';

const source = 'export const answer = 41;\n';
const evil = safetySample('MC01', z.object({ file: z.string(), command: z.string() })).input;
const [command, ...args] = evil.command.split(' ');

const pidIn = (file: string): number => Number(readFileSync(file, 'utf8'));

/** The MCP server writes its process id into this file. It has no tools. */
const serverPid = path.join(tmpdir(), `open-agent-quiet-${process.pid}`);
const server = `
  require('node:fs').writeFileSync(process.env.PID_FILE, String(process.pid));
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    const result = method === 'initialize'
      ? { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'quiet', version: '1' } }
      : { tools: [] };
    if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

describe('an untrusted workspace in the VS Code window', () => {
  const window = useChatWindow({
    files: {
      'src/answer.ts': source,
      [evil.file]: JSON.stringify({ mcpServers: { evil: { command, args } } }),
      'AGENTS.md': 'Marked: rule.\n\nBe brief.\n',
      '.github/copilot-instructions.md': 'Be brief.\n\nMarked: rule.\n',
      '.cursorrules': 'Be brief.\n\nMarked: other.\n',
      '.github/prompts/marked.prompt.md': '---\ndescription: Marked prompt\n---\nSay it.\n',
      '.agents/skills/marked/SKILL.md': '---\nname: marked\ndescription: Marked skill\n---\nBody.\n',
    },
    settings: {
      'openAgent.mcpServers': {
        quiet: { command: process.execPath, args: ['-e', server], env: { PID_FILE: serverPid } },
      },
      'openAgent.endpoint.port': 0,
    },
    workspaceTrust: true,
  });
  after(() => rm(serverPid, { force: true }));
  const inFolder = (name: string): string => path.join(window.folder, name);

  const reads: Turn = { toolCalls: [{ name: 'read_file', arguments: { path: 'src/answer.ts' } }] };
  const toolResult = async (request: number) => (await window.request(request)).body.messages.at(-1)?.content ?? '';

  const chips = () => window.panel.getByRole('list', { name: 'Goes with the message' }).getByRole('listitem');
  /** The prompt files that the field suggests. */
  const markedCommands = async (): Promise<readonly string[]> => {
    const field = window.panel.getByLabel('Message to Open Agent');
    await field.fill('');
    await field.pressSequentially('/');
    await window.panel.getByRole('option', { name: '/explain' }).waitFor();
    const options = await window.panel.getByRole('option').allInnerTexts();
    await field.press('Escape');
    await field.fill('');
    return options.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text.startsWith('/marked'));
  };

  it('allows chat and explanations, and runs no tool', async () => {
    const { workbench } = window;
    await window.ask('What is the answer?', reads, { text: 'I may not look.' });
    await window.untilAnswered('I may not look.');
    assert.match(await toolResult(2), /This workspace is not trusted/);
    assert.doesNotMatch(await toolResult(2), /41/);
    await window.panel.getByText('This workspace is not trusted: Open Agent').first().waitFor();
    await workbench.screenshot('e2e-untrusted');
    // Nothing of the folder's instructions, skills and prompt files is read.
    assert.doesNotMatch((await window.request(1)).text, /marked/i);
    assert.equal(await chips().count(), 0);
    assert.deepEqual(await markedCommands(), []);

    window.expect({ text: 'A constant.' });
    await workbench.openFile('src/answer.ts');
    await workbench.selectText('answer = 41');
    await workbench.page.keyboard.press('ControlOrMeta+k');
    await workbench.page.keyboard.press('x');
    await window.untilAnswered('A constant.');
    assert.match((await window.request(1)).body.messages.at(-1)?.content ?? '', /export const answer = 41;/);
    // No MCP server was started or asked about: not the one of the user settings, not the one of the folder.
    assert.equal(existsSync(serverPid) || existsSync(inFolder('p')), false);
    assert.equal(await workbench.page.locator('.monaco-dialog-box').count(), 0);
  });

  it('runs tools once it is trusted, without a reload', async () => {
    const { workbench } = window;
    await window.button('Manage Trust').click();
    await workbench.page.locator('.workspace-trust-editor').getByRole('button', { name: 'Trust', exact: true }).click();
    await window.panel.getByText('This workspace is not trusted: Open Agent').waitFor({ state: 'detached' });
    await window.newSession();
    await workbench.until('the instructions are chips', async () => (await chips().count()) === 3);
    assert.deepEqual(
      (await chips().allInnerTexts()).map((text) => text.trim().split(/\s/)[0]),
      ['AGENTS.md', '.cursorrules', '1'],
    );
    await workbench.until(
      'the prompt file is a command',
      async () => (await markedCommands()).join() === '/marked Marked prompt',
    );
    await window.ask('What is the answer?', reads, { text: 'It is 41.' });
    await workbench.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Allow' }).click();
    await window.untilAnswered('It is 41.');
    assert.match(await toolResult(2), /export const answer = 41;/);
    // What several files say is sent once.
    const first = String((await window.request(1)).body.messages.find(({ role }) => role === 'user')?.content);
    assert.deepEqual(first.match(/Be brief|Marked: \w+|Marked skill/g), [
      ...['Marked: rule', 'Be brief', 'Marked: other', 'Marked skill'],
    ]);
    assert.equal(existsSync(inFolder('p')), false);
  });

  it(proving('LC06', 'ends the run, the endpoint and the servers when trust is revoked'), async () => {
    const { workbench } = window;
    const trustEditor = workbench.page.locator('.workspace-trust-editor');
    await trustEditor.getByText('You trust this folder').click();
    await workbench.page.keyboard.press('Escape');
    await trustEditor.waitFor({ state: 'hidden' });
    await workbench.runCommand("Open Agent: Serve This Workspace's Agent");
    const address = workbench.page.locator('.statusbar-item', { hasText: /127\.0\.0\.1:\d+/ });
    await address.waitFor();
    const baseUrl = `http://${/127\.0\.0\.1:\d+/.exec(await address.innerText())?.[0]}`;
    const answers = (): Promise<boolean> =>
      fetch(baseUrl).then(
        () => true,
        () => false,
      );
    assert.equal(await answers(), true);
    const line = 'echo $$ > pid; exec sleep 1000';
    await window.ask('Wait', { toolCalls: [{ name: 'run_terminal_command', arguments: { command: line } }] });
    await window.button('Run').click();
    await workbench.until('the command runs', () => existsSync(inFolder('pid')) && pidIn(inFolder('pid')) > 0);
    const pids = [pidIn(inFolder('pid')), pidIn(serverPid)];
    assert.deepEqual(await Promise.all(pids.map(isRunning)), [true, true]);

    await workbench.runCommand('Workspaces: Manage Workspace Trust');
    const entry = trustEditor.locator('.monaco-list-row').first();
    await entry.hover();
    await entry.getByRole('button', { name: 'Delete Path' }).click();
    // VS Code restarts the extensions, here by reloading the window.
    await window.panel.getByText('This workspace is not trusted: Open Agent').first().waitFor();
    await workbench.until('everything has ended', async () => {
      const running = await Promise.all([...pids.map(isRunning), answers()]);
      return !running.includes(true);
    });
    await workbench.screenshot('e2e-trust-taken-away');
  });
});
