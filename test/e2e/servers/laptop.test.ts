import assert from 'node:assert/strict';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { installBridge } from '../../support/window/bridgeExtension';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import { Workbench } from '../../support/window/workbench';
import { Chat } from '../support/chat';

/** The browser stands for the laptop: the bridge runs in it, and sends the requests. */
describe('a model server on the laptop, in the VS Code window', () => {
  const chat = new Chat(() => workbench);
  let folder: TemporaryFolder;
  let extensions: TemporaryFolder;
  let server: ModelServer;
  let workbench: Workbench;
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const quickInput = () => workbench.page.locator('.quick-input-widget');
  const indicator = () => workbench.page.locator('.statusbar-item[id*="open-agent-bridge"]');

  before(async function () {
    // The first run may install VS Code and Chromium.
    this.timeout(600_000);
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    extensions = await installBridge('browser');
    server = await ModelServer.start({ allowsWebPages: true, apiKey: 'sk-on-the-laptop' });
    workbench = await Workbench.open({
      folder: folder.path,
      extensionsDir: extensions.path,
      settings: { 'openAgent.baseUrl': '' },
    });
  });

  keepFailureScreenshots(() => workbench);

  after(async () => {
    await workbench?.dispose();
    await server?.dispose();
    await extensions?.dispose();
    await folder?.dispose();
  });

  async function chooseServer(): Promise<void> {
    await quickInput().getByText('Another Address…').waitFor();
    await workbench.screenshot('e2e-laptop-choose');
    await workbench.page.keyboard.type('Another');
    await workbench.page.keyboard.press('Enter');
    await quickInput().getByText('As your laptop reaches it').waitFor();
    await quickInput().locator('input').fill(server.origin);
    await workbench.page.keyboard.press('Enter');
    await dialog().waitFor();
  }

  it('is offered in the empty panel, and not used before the person agrees', async () => {
    await chat.show();
    await chat.button('Use a Model Server on Your Laptop…').waitFor();
    await workbench.screenshot('e2e-laptop-offer');
    await chat.button('Use a Model Server on Your Laptop…').click();
    await chooseServer();
    await workbench.screenshot('e2e-laptop-consent');
    const text = await dialog().innerText();
    assert.match(text, new RegExp(`use the model server ${server.origin} on your laptop\\?`));
    await workbench.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    assert.deepEqual(server.requests, []);
    await chat.button('Use a Model Server on Your Laptop…').waitFor();
  });

  it('is used after the person has agreed, with a key that stays on the laptop', async () => {
    await workbench.startCommand('Open Agent: Use a Model Server on Your Laptop…');
    await chooseServer();
    await dialog().getByRole('button', { name: 'Always Allow' }).click();
    await chat.button('Set API Key…').click();
    await quickInput().getByText('The remote does not see it').waitFor();
    await quickInput().locator('input').fill('sk-on-the-laptop');
    await workbench.page.keyboard.press('Enter');
    await chat.untilModel('test-model');
    await indicator().waitFor();
  });

  it('streams answers and tool calls, and is stopped', async () => {
    const gate = createGate();
    server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] },
      { text: ['It ', 'says ', gate, '**one** 🙂.'] },
    );
    await chat.send('What does a.txt say?');
    await chat.frame.locator('.markdown', { hasText: 'It says' }).waitFor();
    await workbench.setTheme('light');
    await workbench.screenshot('e2e-laptop-in-use-light');
    await workbench.setTheme('dark');
    await workbench.screenshot('e2e-laptop-in-use');
    assert.match(await indicator().innerText(), new RegExp(server.origin.slice('http://'.length)));
    gate.open();
    await chat.frame.locator('.markdown', { hasText: 'It says one 🙂.' }).waitFor();
    const { body, headers } = await server.completion(2);
    assert.match(String(body.messages.at(-1)?.content), /one/);
    assert.equal(headers.authorization, 'Bearer sk-on-the-laptop');
    assert.match(String(headers['user-agent']), /Chrome/, 'the browser sent it');

    const held = createGate();
    server.script({ text: ['Begun', held] });
    await chat.send('Again');
    await chat.frame.locator('.markdown', { hasText: 'Begun' }).waitFor();
    await chat.button('Stop').click();
    const { closed } = await server.completion(3);
    assert.equal(await closed, 'broken');
    held.open();
  });

  it('is checked', async () => {
    await workbench.runCommand('Open Agent: Check Server and Model');
    // The script of the server is at its end, so only the checks that need no answer of the model are fine.
    const check = (title: string) => chat.frame.locator('.doctor-check').filter({ hasText: title }).first();
    await check('Server').getByText('llama.cpp').waitFor();
    await chat.frame
      .getByText(/\d+ problems?, \d+ fine/)
      .first()
      .waitFor();
    await workbench.screenshot('e2e-laptop-doctor');
    assert.match(await check('Context window').innerText(), /32[,.]?768/);
    assert.equal(server.unexpected.splice(0).length > 0, true);
  });

  it('is lost when the person takes it back with the keyboard', async () => {
    await workbench.startCommand('Open Agent Bridge: Take Back Access to a Model Server…');
    await quickInput().getByText(server.origin).waitFor();
    await workbench.screenshot('e2e-laptop-revoke');
    await workbench.page.keyboard.press('Enter');
    await indicator().waitFor({ state: 'hidden' });
    const sent = server.requests.length;
    await chat.send('And now?');
    await chat.frame
      .getByText(/You have not allowed this window to use/)
      .first()
      .waitFor();
    await workbench.screenshot('e2e-laptop-revoked');
    assert.equal(server.requests.length, sent);
  });
});

describe('the bridge for a desktop, in the extension host of VS Code', () => {
  it('asks for the server of the settings, and streams its answer', async function () {
    this.timeout(600_000);
    await using folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    await using extensions = await installBridge('server');
    await using server = await ModelServer.start();
    await using workbench = await Workbench.open({
      folder: folder.path,
      extensionsDir: extensions.path,
      settings: { 'openAgent.baseUrl': server.baseUrl, 'openAgent.useLaptop': true },
    });
    const chat = new Chat(() => workbench);
    await workbench.showChat();
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.getByText(server.origin).first().waitFor();
    await workbench.screenshot('e2e-laptop-consent-focus');
    // The button that the dialog gives the focus, where it takes it: keys that the person was typing must not allow.
    const first = dialog.locator('.monaco-button:not(.secondary)');
    assert.equal(await first.innerText(), 'Do Not Allow');
    await first.press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await chat.frame.getByText(/You have not allowed this window to use/).waitFor();
    assert.deepEqual(server.requests, []);
    await workbench.startCommand('Open Agent: Use a Model Server on Your Laptop…');
    await dialog.getByRole('button', { name: 'Allow in This Window' }).click();
    await chat.untilModel('test-model');
    const gate = createGate();
    server.script({ text: ['Half', gate, ' and **whole**.'] });
    await chat.send('Go on');
    await chat.frame.locator('.markdown', { hasText: 'Half' }).waitFor();
    gate.open();
    await chat.frame.locator('.markdown', { hasText: 'Half and whole.' }).waitFor();
    const { headers } = await server.completion(1);
    assert.equal(headers['user-agent'], undefined);
    assert.deepEqual(server.unexpected, []);
  });
});

describe('a remote window without the bridge', () => {
  it('names the missing extension and the way out', async function () {
    this.timeout(600_000);
    await using folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    await using workbench = await Workbench.open({
      folder: folder.path,
      settings: { 'openAgent.baseUrl': 'http://localhost:8080', 'openAgent.useLaptop': true },
    });
    const chat = new Chat(() => workbench);
    await chat.show();
    await chat.frame.getByText(/Open Agent Bridge is not installed on your laptop/).waitFor();
    await workbench.screenshot('e2e-laptop-missing');
  });
});
