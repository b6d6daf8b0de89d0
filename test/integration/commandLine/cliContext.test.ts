import assert from 'node:assert/strict';
import { useCommandLine } from '../../support/commandLine/useCommandLine';

describe('what goes along with a prompt of the command line', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', '.env': 'KEY=secret\n', 'AGENTS.md': 'Use tabs.\n' } });
  const asked = (): string => cli.server.completions.at(-1)?.body.messages.at(-1)?.content ?? '';

  it('are the files that it names and the rules of the project', async () => {
    cli.server.script({ text: 'One line.' });
    const ended = await cli.run([...cli.flags, '-p', 'What is in @a.txt?']);
    assert.deepEqual([ended.code, ended.stdout], [0, 'One line.\n']);
    assert.match(
      asked(),
      /AGENTS\.md in the repository[^]*Use tabs\.[^]*a\.txt \(1 line\):\none\n[^]*What is in @a\.txt\?$/,
    );
  });

  it('are no files of what was piped in', async () => {
    cli.server.script({ text: 'A diff.' });
    const ended = await cli.run(cli.flags, { stdin: 'See @a.txt and @.env\n' });
    assert.equal(ended.code, 0);
    assert.doesNotMatch(asked(), /\none\n|secret/);
  });

  it('are no files with secrets where nobody can be asked', async () => {
    const ended = await cli.run([...cli.flags, '-p', 'What is in @.env?']);
    assert.notEqual(ended.code, 0);
    assert.match(ended.stderr, /\.env may hold secrets, and nobody said that it may be sent\./);
    assert.deepEqual(cli.server.completions, []);
  });

  it('are files with secrets once somebody has agreed', async () => {
    const terminal = cli.startInTerminal(cli.flags);
    await terminal.shows('> ');
    cli.server.script({ text: 'A key.' });
    terminal.type('What is in @.env?\r');
    await terminal.shows('.env may hold secrets. Send it to the model?');
    terminal.type('y\r');
    await terminal.shows('A key.');
    assert.match(asked(), /KEY=secret/);
  });
});
