import assert from 'node:assert/strict';
import { runCli } from '../../support/commandLine/commandLine';
import { ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';
import { Workbench } from '../../support/window/workbench';
import { Chat } from '../support/chat';

describe('sessions of the command line, in the panel', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;
  let workbench: Workbench;
  const chat = new Chat(() => workbench);

  before(async function () {
    this.timeout(600_000);
    server = await ModelServer.start();
    home = await createTemporaryFolder();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
    const elsewhere = await createTemporaryFolder();
    for (const [place, prompt] of [
      [folder.path, 'Asked in a terminal'],
      [elsewhere.path, 'Asked in another folder'],
    ] as const) {
      server.script({ text: `Answer to: ${prompt}.` });
      const args = ['--base-url', server.baseUrl, '--model', 'm', '-p', prompt];
      assert.equal((await runCli(args, { folder: place, home: home.path })).code, 0);
    }
    await elsewhere.dispose();
    const settings = { 'openAgent.baseUrl': server.baseUrl };
    workbench = await Workbench.open({ folder: folder.path, settings, env: { HOME: home.path } });
    await chat.show();
  });

  after(async () => {
    await workbench.dispose();
    await server.dispose();
    await folder.dispose();
    await home.dispose();
  });

  it('are listed and can be read in the folder they were started in', async () => {
    await chat.button('Past Sessions').click();
    const rows = chat.frame.locator('.session-row');
    await rows.filter({ hasText: 'Asked in a terminal' }).waitFor();
    assert.equal(await rows.filter({ hasText: 'Asked in another folder' }).count(), 0);
    await rows.filter({ hasText: 'Asked in a terminal' }).getByRole('button').first().click();
    await chat.answers.getByText('Answer to: Asked in a terminal.').waitFor();
    assert.deepEqual(await chat.promptTexts(), ['Asked in a terminal']);
  });
});
