import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { useChatWindow } from '../../support/window/chatWindow';
import { createGate } from '../../support/servers/modelServer';
import { proving } from '../../support/safetySample';
import { Chat } from '../support/chat';

const pricing = 'export const price = 1;\n';

describe('serving the agent from the VS Code window', () => {
  const window = useChatWindow({
    files: { 'src/price.ts': pricing },
    settings: { 'openAgent.endpoint.port': 0, 'files.autoSave': 'off' },
    modelServer: { models: ['coder-7b'] },
  });
  const chat = new Chat(() => window.workbench);
  const edit = (newText: string) => ({
    toolCalls: [
      {
        name: 'apply_edit',
        arguments: { path: 'src/price.ts', edits: [{ old_text: 'price = 1', new_text: newText }] },
      },
    ],
  });
  const status = () => window.workbench.page.locator('.statusbar-item', { hasText: 'coder-7b' });
  const serving = () => status().filter({ hasText: '127.0.0.1:' });
  const choice = (name: string) =>
    window.workbench.page.locator('.quick-input-widget .monaco-list-row').getByText(name, { exact: true });
  let baseUrl = '';
  let token = '';

  /** Runs a copy action of the status bar item; resolves with the copied text. */
  async function copied(action: string): Promise<string> {
    const { page } = window.workbench;
    await page.evaluate(`navigator.clipboard.writeText('')`);
    await status().click();
    await choice(action).click();
    await window.workbench.until(`${action} has copied`, async () => (await clipboard()) !== '');
    return clipboard();
  }
  const clipboard = (): Promise<string> => window.workbench.page.evaluate('navigator.clipboard.readText()');

  /** Sends a prompt to the endpoint, as a program does. */
  async function curl(prompt: string): Promise<{ choices: unknown; open_agent: unknown }> {
    const body = JSON.stringify({ model: 'open-agent', messages: [{ role: 'user', content: prompt }] });
    return JSON.parse(await request('/chat/completions', '--json', body)) as { choices: unknown; open_agent: unknown };
  }

  async function request(path: string, ...more: readonly string[]): Promise<string> {
    const authorization = `Authorization: Bearer ${token}`;
    const options = ['--silent', '--show-error', '--header', authorization, ...more];
    return (await promisify(execFile)('curl', [...options, `${baseUrl}${path}`])).stdout;
  }

  const answered = (content: string) => [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];

  it('shows its address, and copies address and token', async () => {
    await chat.show();
    await chat.untilModel('coder-7b');
    await window.workbench.runCommand("Open Agent: Serve This Workspace's Agent");
    await serving().waitFor();
    baseUrl = await copied('Copy Address');
    token = await copied('Copy Token');
    assert.match(baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/v1$/);
    window.expect({ text: 'Hello.' });
    assert.deepEqual((await curl('Hi')).choices, answered('Hello.'));
  });

  it('asks the person about an edit, and answers the program once the edit is applied', async () => {
    window.expect(edit('price = 2'), { text: 'It is two now.' });
    const answer = curl('Make it two');
    await (
      await window.workbench.notification('waits for your decision')
    )
      .getByRole('button', { name: 'Show' })
      .click();
    await window.panel.getByText('A program asks for this, through the endpoint.').waitFor();
    await status().filter({ hasText: '1 edit waits for you' }).waitFor();
    await window.workbench.screenshot('e2e-endpoint-question');
    assert.equal(await window.read('src/price.ts'), pricing);
    await window.button('Accept').click();
    const { choices, open_agent } = await answer;
    assert.deepEqual(choices, answered('It is two now.'));
    assert.deepEqual(open_agent, { tools: [{ id: 'call_2_0', name: 'apply_edit', state: 'succeeded' }] });
    assert.equal(await window.read('src/price.ts'), 'export const price = 2;\n');
    await window.untilAnswered('It is two now.');
    await window.button('Past Sessions').click();
    await window.panel.locator('.session', { hasText: 'Make it two' }).getByText('endpoint').waitFor();
    await window.workbench.screenshot('e2e-endpoint-sessions');
    await window.workbench.page.keyboard.press('Escape');
  });

  it('tells the model when the person rejects an edit', async () => {
    window.expect(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'src/new.ts', content: 'x\n' } }] },
      { text: 'I may not.' },
    );
    const answer = curl('Write a file');
    // The panel shows an earlier session: the click leads to the question.
    await status().filter({ hasText: '1 edit waits for you' }).click();
    await window.answerWith('Reject with Reason…');
    await window.panel.getByLabel('Reason for the model (optional)').fill('Not there.');
    await window.button('Reject').click();
    const { choices, open_agent } = await answer;
    assert.deepEqual(choices, answered('I may not.'));
    assert.deepEqual(open_agent, { tools: [{ id: 'call_4_0', name: 'write_file', state: 'denied' }] });
    assert.match(String((await window.request(2)).body.messages.at(-1)?.content), /Not there\./);
  });

  it('refuses the old token after it was replaced', async () => {
    await status().click();
    await choice('Replace Token…').click();
    const dialog = window.workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText('cannot use the agent of this workspace').waitFor();
    await dialog.getByRole('button', { name: 'Replace Token' }).click();
    await dialog.waitFor({ state: 'detached' });
    await window.workbench.until('the old token is refused', async () =>
      (await request('/models')).includes('invalid_api_key'),
    );
    token = await copied('Copy Token');
    assert.match(await request('/models'), /"id":"open-agent"/);
  });

  it('ends with "Stop Serving", which interrupts running requests', async () => {
    const gate = createGate();
    window.expect({ text: ['One moment', gate] });
    const answer = curl('Wait');
    await gate.reached;
    await window.workbench.runCommand('Open Agent: Stop Serving');
    assert.match(JSON.stringify(await answer), /"code":"interrupted"/);
    await serving().waitFor({ state: 'detached' });
    await assert.rejects(curl('Hi'), { code: 7 });
  });

  it('reports a port that is taken, and serves at another one', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    try {
      await window.workbench.updateSettings({ 'openAgent.endpoint.port': port });
      await window.workbench.runCommand("Open Agent: Serve This Workspace's Agent");
      const problem = await window.workbench.notification(`Port ${port} is taken`);
      await window.workbench.screenshot('e2e-endpoint-port-taken');
      await problem.getByRole('button', { name: 'Use Any Free Port' }).click();
      await serving().waitFor();
      baseUrl = await copied('Copy Address');
      assert.equal(await copied('Copy Token'), token);
      window.expect({ text: 'Here again.' });
      assert.deepEqual((await curl('Hi')).choices, answered('Here again.'));
    } finally {
      await new Promise<void>((resolve) => taken.close(() => resolve()));
    }
  });

  it('ends with the window', async () => {
    await window.workbench.reload();
    await window.workbench.until('nothing listens any more', async () => {
      try {
        await curl('Hi');
        return false;
      } catch (error) {
        return (error as { code?: unknown }).code === 7;
      }
    });
    assert.equal(await serving().count(), 0);
  });
});

describe('serving the agent of an untrusted workspace', () => {
  const window = useChatWindow({ files: { 'a.txt': 'one\n' }, workspaceTrust: true });

  it(proving('HT35', 'is not offered'), async () => {
    const { page } = window.workbench;
    // Other commands of the extension are available.
    await window.workbench.showChat();
    await window.panel.locator('textarea:focus').waitFor();
    await page.keyboard.press('F1');
    const palette = page.locator('.quick-input-widget');
    await palette.locator('input').fill(">Open Agent: Serve This Workspace's Agent");
    // Without a match, the palette offers similar commands.
    const rows = palette.locator('.monaco-list-row');
    await rows
      .filter({ hasText: /No matching commands|similar commands/ })
      .first()
      .waitFor();
    assert.equal(await rows.filter({ hasText: 'Serve This Workspace' }).count(), 0);
    await page.keyboard.press('Escape');
  });
});
