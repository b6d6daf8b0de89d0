import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { ModelServer } from '../../support/servers/modelServer';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import { Workbench } from '../../support/window/workbench';
import { Chat } from '../support/chat';

const KEY = 'vk-51f0c7d29a';
const CLINE = '.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json';
const rules = '# House rules\n\n- Use tabs.\n';
const project = {
  'src/a.ts': 'export {};\n',
  '.clinerules': rules,
  '.vscode/mcp.json': JSON.stringify({ servers: { playwright: { command: 'npx', args: ['@playwright/mcp'] } } }),
};

describe('importing settings in the VS Code window', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;
  let workbench: Workbench;
  let theirs: Readonly<Record<string, string>>;
  const chat = new Chat(() => workbench);
  const box = () => workbench.page.locator('.quick-input-widget:visible');
  const row = (text: string) => box().locator('.monaco-list-row').filter({ hasText: text }).first();
  const checkbox = (text: string) => row(text).getByRole('checkbox');
  const tick = (text: string): Promise<void> => checkbox(text).click();
  const isTicked = (text: string): Promise<boolean> => checkbox(text).isChecked();
  /** The list draws only the rows in sight, so the text in the field brings them there. */
  const narrowTo = async (text: string): Promise<void> => {
    await box().locator('input[type="text"]').first().fill(text);
    if (text !== '') await row(text).waitFor();
  };
  const settings = (): Record<string, unknown> =>
    JSON.parse(readFileSync(workbench.server.settingsFile, 'utf8')) as Record<string, unknown>;

  const open = async (workspaceTrust: boolean): Promise<void> => {
    workbench = await Workbench.open({
      folder: folder.path,
      settings: { 'openAgent.baseUrl': 'http://127.0.0.1:9', 'files.autoSave': 'off' },
      env: { HOME: home.path, XDG_CONFIG_HOME: '' },
      workspaceTrust,
    });
  };
  const startImport = async (): Promise<void> => {
    await workbench.startCommand('Open Agent: Import Settings…');
    await box().filter({ hasText: 'Import Settings' }).waitFor();
    await row('Qwen Coder').waitFor();
  };

  before(async function () {
    this.timeout(600_000);
    server = await ModelServer.start({ models: ['qwen-coder'], apiKey: KEY });
    theirs = {
      '.continue/config.yaml': [
        'name: Home',
        'version: 0.0.1',
        'models:',
        `  - { name: Qwen Coder, provider: openai, model: qwen-coder, apiBase: "${server.baseUrl}", apiKey: ${KEY} }`,
        '  - { name: Claude, provider: anthropic, model: claude-sonnet, apiKey: sk-ant-not-copied }',
        'rules:',
        '  - Answer in one sentence.',
        '',
      ].join('\n'),
      [CLINE]: JSON.stringify({
        mcpServers: {
          search: { command: 'npx', args: ['-y', 'mcp-search'], env: { SEARCH_API_KEY: 'not-copied', REGION: 'eu' } },
        },
      }),
      '.config/Code/User/mcp.json':
        '{ // mine\n "servers": { "docs": { "type": "http", "url": "http://127.0.0.1:9/mcp" }, }, }',
      '.roo/rules/style.md': 'Prefer small functions.\n',
    };
    home = await createTemporaryFolder(theirs);
    folder = await createTemporaryFolder(project);
    await open(false);
  });

  keepFailureScreenshots(() => workbench);

  after(async () => {
    await workbench.dispose();
    await server.dispose();
    await folder.dispose();
    await home.dispose();
  });

  it('lists what each thing becomes or why not, and takes what is ticked', async () => {
    await chat.show();
    await startImport();
    await workbench.screenshot('import-settings-dark');
    await narrowTo('Claude');
    await row('Claude').filter({ hasText: 'Not taken' }).waitFor();
    // What cannot be taken cannot be ticked.
    await tick('Claude');
    await workbench.until('it is not ticked', async () => !(await isTicked('Claude')));
    for (const name of ['search', 'Rule 1']) {
      await narrowTo(name);
      await tick(name);
    }
    // With the keyboard: the text narrows the list.
    for (const name of ['Qwen Coder', '.clinerules']) {
      await narrowTo(name);
      await workbench.page.keyboard.press('ArrowDown');
      await workbench.page.keyboard.press('Space');
      await workbench.until(`${name} is ticked`, () => isTicked(name));
    }
    for (const name of ['search', 'Rule 1', 'Qwen Coder', '.clinerules']) {
      await narrowTo(name);
      assert.equal(await isTicked(name), true, name);
    }
    await narrowTo('');
    await workbench.screenshot('import-settings-ticked');
    await workbench.page.keyboard.press('Enter');

    // No key is ticked.
    await box().filter({ hasText: 'Copy Keys Too?' }).waitFor();
    await row(`API key for ${new URL(server.baseUrl).origin}`).waitFor();
    await row('SEARCH_API_KEY').waitFor();
    await workbench.screenshot('import-settings-keys');
    await tick('API key for');
    await box().getByRole('button', { name: 'OK' }).click();
    await box().waitFor({ state: 'hidden' });

    await workbench.until('AGENTS.md is proposed', async () => (await workbench.tabs()).includes('AGENTS.md'));
    const proposed = /## \.clinerules\s+# House rules\s+- Use tabs\./;
    await workbench.until('it shows the rules', async () => proposed.test(await workbench.editorText()));
    await workbench.screenshot('import-settings-agents-md');
    assert.equal(existsSync(path.join(folder.path, 'AGENTS.md')), false, 'not written before the person saves it');
    await workbench.runCommand('File: Save');
    await workbench.until('it is saved', () => existsSync(path.join(folder.path, 'AGENTS.md')));

    const now = settings();
    assert.deepEqual(now['openAgent.profiles'], [{ id: 'Qwen Coder', baseUrl: server.baseUrl, model: 'qwen-coder' }]);
    assert.deepEqual(now['openAgent.mcpServers'], {
      search: { command: 'npx', args: ['-y', 'mcp-search'], env: { REGION: 'eu' } },
    });
    assert.equal(now['openAgent.systemPrompt'], 'Answer in one sentence.');
    assert.equal(JSON.stringify(now).includes(KEY), false, 'the key is not in the settings');
    for (const [file, text] of Object.entries(theirs)) {
      assert.equal(readFileSync(path.join(home.path, file), 'utf8'), text, `${file} is as it was`);
    }
  });

  it('leads to an answer of the imported server, with the copied key', async () => {
    const note = await workbench.notification('4 items were imported.');
    await note.getByRole('button', { name: 'Select Profile…' }).click();
    await row('Qwen Coder').click();
    await chat.show();
    await chat.frame.getByRole('button', { name: /^Model: Qwen Coder/ }).waitFor();
    server.script({ text: 'Hello from the imported server.' });
    await chat.send('Hello');
    // An imported MCP server asks before its first use, as any other.
    const dialog = workbench.page.locator('.monaco-dialog-box').filter({ hasText: 'Use the MCP server "search"?' });
    await dialog.waitFor();
    await workbench.screenshot('import-settings-mcp');
    await dialog.getByRole('button', { name: 'Never' }).click();
    await chat.answers.getByText('Hello from the imported server.').waitFor();
    const request = await server.completion(1);
    assert.equal(request.headers.authorization, `Bearer ${KEY}`);
    assert.match(JSON.stringify(request.body.messages[0]), /Answer in one sentence\./);
  });

  it('knows what is there already, in light too', async () => {
    await workbench.setTheme('light');
    await startImport();
    for (const name of ['Qwen Coder', 'search', 'Rule 1', '.clinerules']) {
      await narrowTo(name);
      await row(name).filter({ hasText: 'Already here.' }).waitFor();
    }
    await narrowTo('');
    await workbench.screenshot('import-settings-light');
    await workbench.page.keyboard.press('Enter');
    // Nothing was ticked: the report says what was found.
    await workbench.until('the report is open', async () =>
      (await workbench.editorText()).includes('# Import Settings'),
    );
    assert.match(await workbench.editorText(), /Claude.*Not taken: "anthropic" is a hosted service/);
    await workbench.screenshot('import-settings-report');
  });

  it('reads nothing of a workspace that is not trusted', async function () {
    this.timeout(300_000);
    await workbench.dispose();
    await open(true);
    await startImport();
    await row('docs').waitFor();
    assert.equal(await row('.clinerules').count(), 0);
    assert.equal(await row('playwright').count(), 0);
    await workbench.screenshot('import-settings-untrusted');
    await workbench.page.keyboard.press('Escape');
  });
});
