import assert from 'node:assert/strict';
import { useCommandLine } from '../../support/commandLine/useCommandLine';

describe('context of a command-line prompt', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', '.env': 'KEY=secret\n', 'AGENTS.md': 'Use tabs.\n' } });
  const asked = (): string => cli.server.completions.at(-1)?.body.messages.at(-1)?.content ?? '';

  it('includes the named files and the rules of the project', async () => {
    cli.server.script({ text: 'One line.' });
    const ended = await cli.run([...cli.flags, '-p', 'What is in @a.txt?']);
    assert.deepEqual([ended.code, ended.stdout], [0, 'One line.\n']);
    assert.match(
      asked(),
      /AGENTS\.md in the repository[^]*Use tabs\.[^]*a\.txt \(1 line\):\none\n[^]*What is in @a\.txt\?$/,
    );
  });

  it('leaves the rules of the project out with --no-instructions', async () => {
    cli.server.script({ text: 'One line.' });
    const ended = await cli.run([...cli.flags, '--no-instructions', '-p', 'What is in @a.txt?']);
    assert.equal(ended.code, 0);
    assert.match(asked(), /a\.txt \(1 line\):\none\n[^]*What is in @a\.txt\?$/);
    assert.doesNotMatch(cli.server.completions.at(-1)?.text ?? '', /Use tabs|AGENTS\.md in the repository/);
  });

  it('includes no files named in piped input', async () => {
    cli.server.script({ text: 'A diff.' });
    const ended = await cli.run(cli.flags, { stdin: 'See @a.txt and @.env\n' });
    assert.equal(ended.code, 0);
    assert.doesNotMatch(asked(), /\none\n|secret/);
  });

  it('includes no files with secrets if nobody can be asked', async () => {
    const ended = await cli.run([...cli.flags, '-p', 'What is in @.env?']);
    assert.notEqual(ended.code, 0);
    assert.match(ended.stderr, /\.env may hold secrets and you did not agree to send it\./);
    assert.deepEqual(cli.server.completions, []);
  });

  it('includes files with secrets once the person has agreed', async () => {
    const terminal = cli.startInTerminal(cli.flags);
    await terminal.shows('> ');
    cli.server.script({ text: 'A key.' });
    terminal.type('What is in @.env?\r');
    await terminal.shows('.env may hold secrets. Send it to the model with this prompt?');
    terminal.type('y\r');
    await terminal.shows('A key.');
    assert.match(asked(), /KEY=secret/);
  });
});
