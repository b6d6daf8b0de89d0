import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { createGate } from '../../support/servers/modelServer';

describe('command line conversation', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n' } });
  const start = (...args: readonly string[]) => cli.startHere([...cli.flags, ...args]);

  const edit = { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] };
  const content = (): Promise<string> => readFile(path.join(cli.folder, 'a.txt'), 'utf8');

  it('answers prompt after prompt in one session, until /exit', async () => {
    cli.server.script({ text: 'Hello.' }, { text: 'Still here.' });
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
      cli.server.completions[1]!.body.messages.slice(1).map(({ role, content: text }) => [role, text]),
      [
        ['user', 'Hi'],
        ['assistant', 'Hello.'],
        ['user', 'And now?'],
      ],
    );
  });

  it('starts a new session with /new, and ends at the end of input', async () => {
    cli.server.script({ text: 'Hello.' }, { text: 'Who?' });
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
    assert.equal(cli.server.completions[1]!.body.messages.length, 2);
  });

  it('applies an edit that was shown and accepted', async () => {
    cli.server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'Done.' });
    const { exitCode, stdout, stderr, type } = start('-p', 'Change it');
    await stderr.shows('-one\n+two\n');
    await stderr.shows('Accept?');
    assert.equal(await content(), 'one\n');
    type('y\n');
    assert.equal(await exitCode, 0);
    assert.equal(await content(), 'two\n');
    assert.match(stdout.text, /Done\.\n$/);
  });

  it('sends the reason of a denial to the model, and changes nothing', async () => {
    cli.server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'As you wish.' });
    const { exitCode, stderr, type } = start('-p', 'Change it');
    await stderr.shows('Accept?');
    type('use three instead\n');
    assert.equal(await exitCode, 0);
    assert.equal(await content(), 'one\n');
    const result = cli.server.completions[1]!.body.messages.at(-1)!;
    assert.deepEqual(
      [result.role, result.content],
      ['tool', 'The call was denied. Nothing was changed. Reason: use three instead'],
    );
  });

  it('stops at Ctrl+C and can continue', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] }, { text: 'a time.' });
    const { exitCode, stdout, stderr, type } = start();
    await stderr.shows('> ');
    type('Tell\n');
    await stdout.shows('Once upon ');
    type('\u0003');
    assert.equal(await (await cli.server.completion(1)).closed, 'broken');
    await stderr.shows('> ');
    type('/continue\n');
    await stdout.shows('a time.\n');
    await stderr.shows('> ');
    type('/exit\n');
    assert.equal(await exitCode, 0);
    gate.open();
  });

  it('compacts the conversation on request, and keeps what is named', async () => {
    const long = Array.from({ length: 200 }, (_, at) => `Point ${at} is about ${at * 7}.`).join(' ');
    cli.server.script({ text: long }, { text: 'Short.' }, { text: 'They talked.' }, { text: 'Third.' });
    const { exitCode, stdout, stderr, type } = start();
    await stderr.shows('> ');
    type('One\n');
    await stdout.shows('about 1393.\n');
    await stderr.shows('> ');
    type('Two\n');
    await stdout.shows('Short.\n');
    await stderr.shows('> ');
    type('/compact the words\n');
    await stderr.shows('summarised for the model');
    await stderr.shows('> ');
    type('Three\n');
    await stdout.shows('Third.\n');
    await stderr.shows('> ');
    type('/exit\n');
    assert.equal(await exitCode, 0);
    const [, , asked, last] = cli.server.completions.map(({ body }) => body.messages.at(-1)?.content);
    assert.match(String(asked), /keep what the user named: the words$/);
    assert.match(String(last), /Three$/);
    const whole = JSON.stringify(cli.server.completions[3]!.body.messages);
    assert.ok(whole.includes('They talked.') && !whole.includes('Point 150'));
  });

  it('ends when stopped while it waits for a prompt or for an answer', async () => {
    const idle = start();
    await idle.stderr.shows('> ');
    idle.stop();
    assert.equal(await idle.exitCode, 130);

    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] });
    const busy = start();
    await busy.stderr.shows('> ');
    busy.type('Tell\n');
    await busy.stdout.shows('Once upon ');
    busy.stop();
    assert.equal(await busy.exitCode, 130);
    assert.equal(await (await cli.server.completion(1)).closed, 'broken');
    gate.open();
  });

  it('runs nothing after Ctrl+C at a question', async () => {
    cli.server.script({ toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'touch b.txt' } }] });
    const { exitCode, stderr, type } = start('-p', 'Make it');
    await stderr.shows('touch b.txt');
    await stderr.shows('Run?');
    type('\u0003');
    assert.equal(await exitCode, 130);
    await assert.rejects(readFile(path.join(cli.folder, 'b.txt')), { code: 'ENOENT' });
    assert.equal(cli.server.completions.length, 1);
  });

  it('keeps the prompt after an error, and sends it again with /retry', async () => {
    const failure = { kind: 'status', status: 500, body: { error: { message: 'out of memory' } } } as const;
    // The first try and three automatic retries.
    cli.server.script(failure, failure, failure, failure, { text: 'Here.' });
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
    const prompts = cli.server.completions.map(({ body }) => body.messages.map(({ content: text }) => text).slice(1));
    assert.deepEqual(prompts, [['Hi'], ['Hi'], ['Hi'], ['Hi'], ['Hi']]);
  });
});
