import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { useCommandLine } from '../../support/commandLine/useCommandLine';

describe('commands and prompt files on the command line', () => {
  const cli = useCommandLine({
    files: {
      'a.ts': 'export const a = 1;\n',
      '.github/prompts/release-notes.prompt.md':
        '---\ndescription: Writes \u202Enotes\n---\nNotes of ${input:version}.',
    },
  });
  const lastPrompt = () =>
    String(cli.server.completions.at(-1)?.body.messages.findLast(({ role }) => role === 'user')?.content);

  it('become prompts in a conversation, which asks for values', async () => {
    await mkdir(path.join(cli.home, '.open-agent', 'prompts'), { recursive: true });
    await writeFile(path.join(cli.home, '.open-agent', 'prompts', 'mine.prompt.md'), 'My own.');
    cli.server.script({ text: 'Notes.' }, { text: 'Mine.' }, { text: 'Explained.' });
    const terminal = cli.startInTerminal([...cli.flags]);
    await terminal.shows('> ');
    terminal.type('/help\r');
    await terminal.shows('/release-notes version=…');
    await terminal.shows('Writes <U+202E>notes\n');
    await terminal.shows('/mine');
    await terminal.shows('> ');
    terminal.type('/release-notes\r');
    await terminal.shows('version: ');
    terminal.type('2.0\r');
    await terminal.shows('Notes.\n');
    assert.match(
      lastPrompt(),
      /release-notes\.prompt\.md of the repository[^]*\nNotes of 2\.0\.\n```\n\n\/release-notes$/,
    );
    await terminal.shows('> ');
    terminal.type('/mine\r');
    await terminal.shows('Mine.\n');
    assert.match(lastPrompt(), /~\/\.open-agent\/prompts\/mine\.prompt\.md from the person's own folder[^]*My own\./);
    await terminal.shows('> ');
    terminal.type('/explain @a.ts\r');
    await terminal.shows('Explained.\n');
    assert.match(
      lastPrompt(),
      /export const a = 1;[^]*\/explain means: explain what the person names:[^]*\n\n\/explain @a\.ts$/,
    );
    await terminal.shows('> ');
    terminal.type('/explain\r');
    await terminal.shows('Error: Name a file with @ after /explain.\n');
    terminal.type('/exit\r');
    assert.equal(await terminal.exitCode, 0);
  });

  it('work without a terminal when the values are given, and else say what to give', async () => {
    cli.server.script({ text: 'Notes.' });
    const missing = await cli.run([...cli.flags, '-p', '/release-notes']);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /Error: \/release-notes asks for version: write version=… after it\./);
    const given = await cli.run([...cli.flags, '-p', '/release-notes version=3']);
    assert.deepEqual([given.code, given.stdout.trim()], [0, 'Notes.']);
    assert.match(lastPrompt(), /Notes of 3\./);
  });
});
