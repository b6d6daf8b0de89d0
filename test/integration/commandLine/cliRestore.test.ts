import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PROMPT } from '../../support/commandLine/startHere';
import { useCommandLine } from '../../support/commandLine/useCommandLine';

describe('restore on the command line', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', 'b.txt': 'one\n', 'old/c.txt': 'c\n' } });

  async function start(...args: readonly string[]) {
    const { say, type, stderr, exitCode } = cli.startHere([...cli.flags, ...args]);
    await stderr.shows(PROMPT);
    const end = async (): Promise<void> => {
      type('/exit\n');
      assert.equal(await exitCode, 0);
    };
    return { say, end };
  }

  /** Every file of the folder with its content. */
  async function files(): Promise<Readonly<Record<string, string>>> {
    const found = (await readdir(cli.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const names = found.map((entry) => path.relative(cli.folder, path.join(entry.parentPath, entry.name))).toSorted();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(cli.folder, name), 'utf8')])),
    );
  }

  const edit = (file: string, text = 'two') => ({
    name: 'apply_edit',
    arguments: { path: file, edits: [{ old_text: 'one', new_text: text }] },
  });
  const before = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'old/c.txt': 'c\n' };

  async function change() {
    cli.server.script(
      { text: 'Hello.' },
      { toolCalls: [edit('a.txt'), edit('b.txt')] },
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'mv old new && rm b.txt' } }] },
      { text: 'Done.' },
    );
    const chat = await start('--permission-mode', 'acceptEdits');
    await chat.say('Hi');
    await chat.say('Change it', 'Run?');
    await chat.say('y');
    const after = { 'a.txt': 'two\n', 'new/c.txt': 'c\n' };
    assert.deepEqual(await files(), after);
    return { chat, after };
  }

  it('lists the prompts, shows the changes, restores files and conversation, and undoes the restore', async () => {
    const { chat, after } = await change();
    assert.equal(
      await chat.say('/restore', 'stay): '),
      '   1  Change it\n   2  Hi\nGo back to before which prompt? (Enter: stay): ',
    );
    assert.equal(
      await chat.say('1', 'nothing: '),
      [
        'Files as they were then:',
        '  a.txt: earlier text comes back',
        '  b.txt: comes back, since “mv old new && rm b.txt”',
        '  new/c.txt: is deleted: it was not there then, since “mv old new && rm b.txt”',
        '  old/c.txt: moves back, since “mv old new && rm b.txt”',
        'Restore [b]oth, [f]iles, [c]onversation; show [d]ifferences; Enter: nothing: ',
      ].join('\n'),
    );
    assert.match(await chat.say('d', 'nothing: '), /^a\.txt: now, and after going back\n@@ -1 \+1 @@\n-two\n\+one\n/);
    assert.deepEqual(await files(), after);
    assert.match(await chat.say('b'), /The prompt was:\nChange it\n/);
    assert.deepEqual(await files(), before);

    cli.server.script({ text: 'As if nothing had been.' });
    await chat.say('Another');
    assert.deepEqual(
      cli.server.completions
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ content }) => String(content).split('\n').at(-1)),
      ['Hi', 'Hello.', 'Another'],
    );
    await chat.say('/undo', 'Go on? [y/N] ');
    await chat.say('y');
    assert.deepEqual(await files(), after);
    cli.server.script({ text: 'Where were we?' });
    await chat.say('Once more');
    assert.match(JSON.stringify(cli.server.completions.at(-1)?.body.messages), /Change it.*Done\..*Once more/);
    await chat.end();
  });

  it('leaves files that someone else changed unless told otherwise, and works together with /undo', async () => {
    const { chat, after } = await change();
    await writeFile(path.join(cli.folder, 'a.txt'), 'mine\n');
    assert.match(
      await chat.say('/restore 1', 'nothing: '),
      /a\.txt: earlier text comes back; changed since, and not by/,
    );
    assert.match(
      await chat.say('f', '[y/N] '),
      /^a\.txt was changed since, and not by the agent\. Overwrite those changes\?/,
    );
    await chat.say('');
    assert.deepEqual(await files(), { ...before, 'a.txt': 'mine\n' });
    await chat.say('/undo');
    assert.deepEqual(await files(), { ...after, 'a.txt': 'mine\n' });
    await chat.say('/undo');
    assert.deepEqual(await files(), { ...before, 'a.txt': 'mine\n' });
    await chat.end();
  });

  it('works after a restart too', async () => {
    const { chat, after } = await change();
    await chat.end();
    const later = await start('--autoresume');
    await later.say('/restore 1', 'nothing: ');
    await later.say('b');
    assert.deepEqual(await files(), before);
    await later.end();
    const last = await start('--autoresume');
    await last.say('/undo');
    assert.deepEqual(await files(), after);
    await last.end();
  });

  it('does nothing on Enter, and reports a missing prompt', async () => {
    cli.server.script({ text: 'Hello.' });
    const chat = await start();
    assert.match(await chat.say('/restore'), /There is no prompt to go back to in this session\./);
    assert.match(await chat.say('/undo'), /Nothing was restored in this session\./);
    await chat.say('Hi');
    assert.match(await chat.say('/restore 7'), /There is no prompt with the number 7\./);
    await chat.say('/restore', 'stay): ');
    await chat.say('');
    assert.match(await chat.say('/restore 1', '[y/N] '), /No file was changed since then\./);
    assert.match(await chat.say(''), /Nothing was changed\./);
    await chat.end();
  });
});
