import assert from 'node:assert/strict';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { callText, startDoctorServer } from '../../support/servers/doctorServer';
import { createGate, type ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import { Workbench } from '../../support/window/workbench';

describe('the command Check Server and Model in the VS Code window', () => {
  const command = 'Open Agent: Check Server and Model';
  const gate = createGate();
  let folder: TemporaryFolder;
  let server: ModelServer;
  let workbench: Workbench;
  const panel = () => workbench.panel();
  const button = (name: string) => panel().getByRole('button', { name, exact: true });
  const check = (title: string) => panel().locator('.doctor-check').filter({ hasText: title }).first();

  before(async function () {
    // The first run may install VS Code and Chromium.
    this.timeout(600_000);
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    const noJinja = { error: { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' } };
    server = await startDoctorServer({
      contextWindow: 16_384,
      replies: {
        call: ({ body }) => (body.tools ? { kind: 'status', status: 500, body: noJinja } : { text: callText(42) }),
        result: { text: [gate, 'heron'] },
      },
    });
    workbench = await Workbench.open({
      folder: folder.path,
      settings: { 'openAgent.baseUrl': server.baseUrl, 'openAgent.contextWindow': 65_536 },
    });
  });

  keepFailureScreenshots(() => workbench);

  after(async () => {
    gate.open();
    await workbench?.dispose();
    await server?.dispose();
    await folder?.dispose();
  });

  it('shows its progress, and keeps its findings when stopped', async () => {
    await workbench.runCommand(command);
    await check('Tool results')
      .getByText('The model is answering…')
      .or(check('Tool results').getByText('Waiting for the model to begin…'))
      .waitFor();
    await workbench.screenshot('e2e-doctor-running');
    await button('Stop').click();
    await panel().getByText('Stopped. 1 piece of advice, 5 fine.').first().waitFor();
    assert.match(await check('Tool results').innerText(), /Skipped/);
    gate.open();
  });

  it('names each problem and its solution', async () => {
    await button('Check Again').click();
    await panel().getByText('1 problem, 1 piece of advice, 9 fine.').first().waitFor();
    assert.match(
      await check('Tool calls').innerText(),
      /Advice\s[^]*requires --jinja flag[^]*Start llama-server with --jinja/,
    );
    assert.match(
      await check('Context window').innerText(),
      /says 65,536 tokens, but the server has loaded the model with 16,384/,
    );
    await workbench.setTheme('dark');
    await workbench.screenshot('e2e-doctor-dark');
    await workbench.setTheme('light');
    await workbench.screenshot('e2e-doctor-light');
  });

  it('opens the setting to change, and sees the change', async () => {
    await check('Context window').getByRole('button', { name: 'Open Setting' }).click();
    await workbench.page.getByText('Context Window', { exact: false }).first().waitFor();
    await workbench.screenshot('e2e-doctor-setting');
    await workbench.updateSettings({ 'openAgent.contextWindow': null });
    await button('Check Again').click();
    await panel().getByText('1 piece of advice, 10 fine.').first().waitFor();
    assert.match(await check('Context window').innerText(), /OK\s+16,384 tokens, as loaded/);
  });

  it('describes the tools as text in the next prompt, and closes for the answer', async () => {
    const asked = server.completions.length;
    server.dropTurns();
    server.script({ text: 'Hello.' });
    const composer = panel().getByLabel('Message to Open Agent');
    await composer.fill('Hi');
    await composer.press('Enter');
    await panel().locator('.markdown').getByText('Hello.').waitFor();
    assert.equal(await panel().locator('.doctor').count(), 0);
    const { body } = await server.completion(asked + 1);
    assert.equal(body.tools, undefined);
    assert.match(body.messages[0]?.content ?? '', /<tool_call>/);
  });

  it('sends no names of folders to the model', async () => {
    const { text } = await server.completion(1);
    assert.ok(!text.includes(path.basename(folder.path)) && !text.includes(projectRoot));
  });
});
