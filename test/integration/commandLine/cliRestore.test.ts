import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../../src/cli/main';
import { ModelServer } from '../../support/servers/modelServer';
import { Screen } from '../../support/commandLine/screen';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** As a terminal gets it: other lines may hold a `> `. */
const PROMPT = '\u001b[0J> ';

describe('going back on the command line', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    server = await ModelServer.start();
    home = await createTemporaryFolder();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n', 'b.txt': 'one\n', 'old/c.txt': 'c\n' });
  });

  afterEach(async () => {
    await server.dispose();
    await home.dispose();
    await folder.dispose();
  });

  /** A conversation: `say` types a line and waits for words that follow. */
  async function start(...args: readonly string[]) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [new Screen(), new Screen()];
    const exitCode = main({
      argv: ['--base-url', server.baseUrl, '--model', 'm', ...args],
      env: { NO_COLOR: '1' },
      cwd: folder.path,
      homeDirectory: home.path,
      platform: 'linux',
      stdin,
      stdout,
      stderr,
      signal: new AbortController().signal,
      exit: () => assert.fail('nothing ends the process'),
    });
    await stderr.shows(PROMPT);
    return {
      say: async (text: string, then = PROMPT): Promise<string> => {
        stdin.write(`${text}\n`);
        const shown = stripVTControlCharacters(await stderr.shows(then)).replaceAll('\r', '');
        // The terminal repeats what is typed.
        return shown.startsWith(`${text}\n`) ? shown.slice(text.length + 1) : shown;
      },
      end: async (): Promise<void> => {
        stdin.write('/exit\n');
        assert.equal(await exitCode, 0);
      },
    };
  }

  /** Every file of the folder, with what is in it. */
  async function files(): Promise<Readonly<Record<string, string>>> {
    const found = (await readdir(folder.path, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const names = found.map((entry) => path.relative(folder.path, path.join(entry.parentPath, entry.name))).toSorted();
    return Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await readFile(path.join(folder.path, name), 'utf8')])),
    );
  }

  const edit = (file: string, text = 'two') => ({
    name: 'apply_edit',
    arguments: { path: file, edits: [{ old_text: 'one', new_text: text }] },
  });
  const before = { 'a.txt': 'one\n', 'b.txt': 'one\n', 'old/c.txt': 'c\n' };

  async function change() {
    server.script(
      { text: 'Hello.' },
      { toolCalls: [edit('a.txt'), edit('b.txt')] },
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'mv old new && rm b.txt' } }] },
      { text: 'Done.' },
    );
    const chat = await start('--permission-mode', 'acceptEdits');
    await chat.say('Hi');
    await chat.say('Change it', 'Allow?');
    await chat.say('y');
    const after = { 'a.txt': 'two\n', 'new/c.txt': 'c\n' };
    assert.deepEqual(await files(), after);
    return { chat, after };
  }

  it('lists the prompts, shows what changes, takes files and conversation back, and that as well', async () => {
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
        'Take back [b]oth, [f]iles, [c]onversation; show [d]ifferences; Enter: nothing: ',
      ].join('\n'),
    );
    assert.match(await chat.say('d', 'nothing: '), /^a\.txt: now, and after going back\n@@ -1 \+1 @@\n-two\n\+one\n/);
    assert.deepEqual(await files(), after);
    assert.match(await chat.say('b'), /The prompt was:\nChange it\n/);
    assert.deepEqual(await files(), before);

    server.script({ text: 'As if nothing had been.' });
    await chat.say('Another');
    assert.deepEqual(
      server.completions
        .at(-1)
        ?.body.messages.slice(1)
        .map(({ content }) => String(content).split('\n').at(-1)),
      ['Hi', 'Hello.', 'Another'],
    );
    await chat.say('/undo', 'Go on? [y/N] ');
    await chat.say('y');
    assert.deepEqual(await files(), after);
    server.script({ text: 'Where were we?' });
    await chat.say('Once more');
    assert.match(JSON.stringify(server.completions.at(-1)?.body.messages), /Change it.*Done\..*Once more/);
    await chat.end();
  });

  it('leaves what somebody else has changed, unless told, and takes turns with /undo', async () => {
    const { chat, after } = await change();
    await writeFile(path.join(folder.path, 'a.txt'), 'mine\n');
    assert.match(
      await chat.say('/restore 1', 'nothing: '),
      /a\.txt: earlier text comes back; changed since, and not by/,
    );
    assert.match(await chat.say('f', '[y/N] '), /^a\.txt was changed since, and not by the agent\. Overwrite that\?/);
    await chat.say('');
    assert.deepEqual(await files(), { ...before, 'a.txt': 'mine\n' });
    await chat.say('/undo');
    assert.deepEqual(await files(), { ...after, 'a.txt': 'mine\n' });
    await chat.say('/undo');
    assert.deepEqual(await files(), { ...before, 'a.txt': 'mine\n' });
    await chat.end();
  });

  it('works in a later start as well', async () => {
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

  it('does nothing on Enter, and says what there is not', async () => {
    server.script({ text: 'Hello.' });
    const chat = await start();
    assert.match(await chat.say('/restore'), /There is no prompt to go back to in this session\./);
    assert.match(await chat.say('/undo'), /Nothing was taken back in this session\./);
    await chat.say('Hi');
    assert.match(await chat.say('/restore 7'), /There is no prompt with the number 7\./);
    await chat.say('/restore', 'stay): ');
    await chat.say('');
    assert.match(await chat.say('/restore 1', '[y/N] '), /No file was changed since\./);
    assert.match(await chat.say(''), /Nothing was changed\./);
    await chat.end();
  });
});
