import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { examTasks } from '../../../src/agent/exam/tasks/examTasks';
import { playModel } from '../../support/exam/scriptedModels';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { keepFailureScreenshots } from '../../support/window/failureScreenshots';
import { Workbench } from '../../support/window/workbench';

describe('the command Examine Models in the VS Code window', () => {
  const tasks = examTasks(0);
  const command = 'Open Agent: Examine Models…';
  let folder: TemporaryFolder;
  let server: ModelServer;
  let workbench: Workbench;
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const begin = async (): Promise<void> => {
    await workbench.startCommand(command);
    await dialog().getByText('Examine tiny-Q4_K_M?').waitFor();
    await workbench.screenshot('e2e-exam-question');
    await dialog().getByRole('button', { name: 'Examine', exact: true }).click();
  };

  before(async function () {
    // The first run may install VS Code and Chromium.
    this.timeout(600_000);
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
    server = await ModelServer.start({ models: ['tiny-Q4_K_M'] });
    workbench = await Workbench.open({ folder: folder.path, settings: { 'openAgent.baseUrl': server.baseUrl } });
  });

  keepFailureScreenshots(() => workbench);

  after(async () => {
    await workbench?.dispose();
    await server?.dispose();
    await folder?.dispose();
  });

  it('asks first, and sends nothing after Cancel', async () => {
    await workbench.startCommand(command);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    assert.equal(server.completions.length, 0);
  });

  it('is cancelled at once', async () => {
    const gate = createGate();
    playModel(server, 'perfect', tasks, 6);
    server.script({ text: ['Let me ', gate, 'think.'] });
    await begin();
    await gate.reached;
    const progress = await workbench.notification('Examining tiny-Q4_K_M');
    await workbench.screenshot('e2e-exam-progress');
    await progress.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(await server.completions.at(-1)!.closed, 'broken');
    server.dropTurns();
  });

  it('goes on, and says in the menu of models what the model can do', async () => {
    const asked = server.completions.length;
    playModel(server, 'perfect', tasks);
    await begin();
    const told = await workbench.notification('tiny-Q4_K_M: does the work, 28 of 28 tasks solved.');
    const first = server.completions[asked]!.text;
    assert.ok(!first.includes(JSON.stringify(tasks[0]!.prompt).slice(1, -1)), 'the first task was done before');
    await told.getByRole('button', { name: 'Show Report' }).click();
    await workbench.until('the report is open', async () =>
      (await workbench.editorText()).includes('tiny-Q4_K_M: does the work (28 of 28, Q4_K_M,'),
    );
    await workbench.screenshot('e2e-exam-report');
    await workbench.showChat();
    const panel = workbench.panel();
    await panel
      .getByRole('button', { name: /tiny-Q4_K_M/ })
      .first()
      .click();
    await panel.getByText('does the work').waitFor();
    await workbench.screenshot('e2e-exam-menu');
    assert.equal(readFileSync(path.join(folder.path, 'a.txt'), 'utf8'), 'one\n');
    assert.deepEqual(readdirSync(folder.path), ['a.txt']);
  });
});
