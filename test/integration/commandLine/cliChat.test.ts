import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { main } from '../../../src/cli/main';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { Screen } from '../../support/commandLine/screen';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

describe('command line conversation', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    server = await ModelServer.start();
    home = await createTemporaryFolder();
    folder = await createTemporaryFolder({ 'a.txt': 'one\n' });
  });

  afterEach(async () => {
    await server.dispose();
    await home.dispose();
    await folder.dispose();
  });

  function start(...args: readonly string[]) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stdout = new Screen();
    const stderr = new Screen();
    const stopping = new AbortController();
    const exitCode = main({
      argv: ['--base-url', server.baseUrl, '--model', 'm', ...args],
      env: { NO_COLOR: '1' },
      cwd: folder.path,
      homeDirectory: home.path,
      platform: 'linux',
      stdin,
      stdout,
      stderr,
      signal: stopping.signal,
      exit: () => assert.fail('nothing ends the process'),
    });
    return {
      exitCode,
      stdout,
      stderr,
      type: (text: string) => void stdin.write(text),
      endInput: () => stdin.end(),
      terminate: () => stopping.abort(),
    };
  }

  const edit = { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] };
  const content = (): Promise<string> => readFile(path.join(folder.path, 'a.txt'), 'utf8');

  it('answers prompt after prompt in one session, until /exit', async () => {
    server.script({ text: 'Hello.' }, { text: 'Still here.' });
    const { exitCode, stdout, stderr, type } = start();
    await stderr.shows('> ');
    type('Hi\n');
    await stdout.shows('Hello.\n');
    await stderr.shows('> ');
    type('And now?\n');
    await stdout.shows('Still here.\n');
    await stderr.shows('> ');
    type('/exit\n');
    assert.equal(await exitCode, 0);
    assert.deepEqual(
      server.completions[1]!.body.messages.slice(1).map(({ role, content: text }) => [role, text]),
      [
        ['user', 'Hi'],
        ['assistant', 'Hello.'],
        ['user', 'And now?'],
      ],
    );
  });

  it('starts afresh with /new, and ends with the input', async () => {
    server.script({ text: 'Hello.' }, { text: 'Who?' });
    const { exitCode, stdout, stderr, type, endInput } = start();
    await stderr.shows('> ');
    type('I am Ada\n');
    await stdout.shows('Hello.\n');
    await stderr.shows('> ');
    type('/new\n');
    await stderr.shows('> ');
    type('Who am I?\n');
    await stdout.shows('Who?\n');
    await stderr.shows('> ');
    endInput();
    assert.equal(await exitCode, 0);
    assert.equal(server.completions[1]!.body.messages.length, 2);
  });

  it('applies an edit that was shown and allowed', async () => {
    server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'Done.' });
    const { exitCode, stdout, stderr, type } = start('-p', 'Change it');
    await stderr.shows('-one\n+two\n');
    await stderr.shows('Allow?');
    assert.equal(await content(), 'one\n');
    type('y\n');
    assert.equal(await exitCode, 0);
    assert.equal(await content(), 'two\n');
    assert.match(stdout.text, /Done\.\n$/);
  });

  it('hands the reason of a denial to the model and changes nothing', async () => {
    server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'As you wish.' });
    const { exitCode, stderr, type } = start('-p', 'Change it');
    await stderr.shows('Allow?');
    type('use three instead\n');
    assert.equal(await exitCode, 0);
    assert.equal(await content(), 'one\n');
    const result = server.completions[1]!.body.messages.at(-1)!;
    assert.deepEqual(
      [result.role, result.content],
      ['tool', 'The call was denied. Nothing was changed. Reason: use three instead'],
    );
  });

  it('stops at Ctrl+C and can go on', async () => {
    const gate = createGate();
    server.script({ text: ['Once upon ', gate, 'a time'] }, { text: 'a time.' });
    const { exitCode, stdout, stderr, type } = start();
    await stderr.shows('> ');
    type('Tell\n');
    await stdout.shows('Once upon ');
    type('\u0003');
    assert.equal(await (await server.completion(1)).closed, 'broken');
    await stderr.shows('> ');
    type('/continue\n');
    await stdout.shows('a time.\n');
    await stderr.shows('> ');
    type('/exit\n');
    assert.equal(await exitCode, 0);
    gate.open();
  });

  it('ends when the process is to end, while it waits for a prompt or for an answer', async () => {
    const idle = start();
    await idle.stderr.shows('> ');
    idle.terminate();
    assert.equal(await idle.exitCode, 130);

    const gate = createGate();
    server.script({ text: ['Once upon ', gate, 'a time'] });
    const busy = start();
    await busy.stderr.shows('> ');
    busy.type('Tell\n');
    await busy.stdout.shows('Once upon ');
    busy.terminate();
    assert.equal(await busy.exitCode, 130);
    assert.equal(await (await server.completion(1)).closed, 'broken');
    gate.open();
  });

  it('nothing runs when Ctrl+C comes while it asks', async () => {
    server.script({ toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'touch b.txt' } }] });
    const { exitCode, stderr, type } = start('-p', 'Make it');
    await stderr.shows('touch b.txt');
    await stderr.shows('Allow?');
    type('\u0003');
    assert.equal(await exitCode, 130);
    await assert.rejects(readFile(path.join(folder.path, 'b.txt')), { code: 'ENOENT' });
    assert.equal(server.completions.length, 1);
  });

  it('keeps the prompt after an error, so that /retry sends it again', async () => {
    const failure = { kind: 'status', status: 500, body: { error: { message: 'out of memory' } } } as const;
    // The first and the three times it is tried again by itself.
    server.script(failure, failure, failure, failure, { text: 'Here.' });
    const { exitCode, stdout, stderr, type } = start();
    await stderr.shows('> ');
    type('Hi\n');
    await stderr.shows('Error: ');
    await stderr.shows('> ');
    type('/retry\n');
    await stdout.shows('Here.\n');
    await stderr.shows('> ');
    type('/exit\n');
    assert.equal(await exitCode, 0);
    const prompts = server.completions.map(({ body }) => body.messages.map(({ content: text }) => text).slice(1));
    assert.deepEqual(prompts, [['Hi'], ['Hi'], ['Hi'], ['Hi'], ['Hi']]);
  });
});
