import assert from 'node:assert/strict';
import { runCli, startCliInTerminal } from '../../support/commandLine/commandLine';
import { ModelServer } from '../../support/servers/modelServer';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('what goes along with a prompt of the command line', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    server = await ModelServer.start();
    home = await createTemporaryFolder();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n', '.env': 'KEY=secret\n', 'AGENTS.md': 'Use tabs.\n' });
  });

  afterEach(async () => {
    await server.dispose();
    await home.dispose();
    await folder.dispose();
  });

  const place = () => ({ folder: folder.path, home: home.path, env: { NO_COLOR: '1' } });
  const here = (): readonly string[] => ['--base-url', server.baseUrl, '--model', 'm'];
  const asked = (): string => server.completions.at(-1)?.body.messages.at(-1)?.content ?? '';

  it('are the files that it names and the rules of the project', async () => {
    server.script({ text: 'One line.' });
    const ended = await runCli([...here(), '-p', 'What is in @a.txt?'], place());
    assert.deepEqual([ended.code, ended.stdout], [0, 'One line.\n']);
    assert.match(
      asked(),
      /AGENTS\.md in the repository[^]*Use tabs\.[^]*a\.txt \(1 line\):\none\n[^]*What is in @a\.txt\?$/,
    );
  });

  it('are no files of what was piped in', async () => {
    server.script({ text: 'A diff.' });
    const ended = await runCli(here(), place(), 'See @a.txt and @.env\n');
    assert.equal(ended.code, 0);
    assert.doesNotMatch(asked(), /\none\n|secret/);
  });

  it('are no files with secrets where nobody is there to be asked', async () => {
    const ended = await runCli([...here(), '-p', 'What is in @.env?'], place());
    assert.notEqual(ended.code, 0);
    assert.match(ended.stderr, /\.env may hold secrets, and nobody said that it may be sent\./);
    assert.deepEqual(server.completions, []);
  });

  it('are files with secrets once somebody has agreed', async () => {
    await using cli = startCliInTerminal(here(), place());
    await cli.shows('> ');
    server.script({ text: 'A key.' });
    cli.type('What is in @.env?\r');
    await cli.shows('.env may hold secrets. Send it to the model?');
    cli.type('y\r');
    await cli.shows('A key.');
    assert.match(asked(), /KEY=secret/);
  });
});
