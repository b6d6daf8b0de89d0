import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { startDoctorServer } from '../../support/servers/doctorServer';
import { createGate, ModelServer } from '../../support/servers/modelServer';

const PROMPT = '> ';
const ESCAPE = '\u001b';

describe('command line in a terminal', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n' } });
  const start = (args: readonly string[] = [], env?: Readonly<Record<string, string>>) =>
    cli.startInTerminal([...cli.flags, ...args], env);

  const prompts = (): unknown[] =>
    cli.server.completions.map(({ body }) => body.messages.findLast(({ role }) => role === 'user')?.content);

  it('warns once, streams, shows help, and ends with /exit', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Hel', gate, 'lo.'] }, { text: 'Bye.' });
    const terminal = start();
    await terminal.shows('Warning: the agent edits files and runs commands on this machine, as you. It asks first.\n');
    await terminal.shows(PROMPT);
    terminal.type('/help\r');
    await terminal.shows('/sessions [ID]  ');
    await terminal.shows('list the sessions of this folder, or continue one\n');
    await terminal.shows(PROMPT);
    terminal.type('/nonsense\r');
    await terminal.shows('There is no /nonsense. /help lists the commands.\n');
    await terminal.shows(PROMPT);
    terminal.type('Hi\r');
    await terminal.shows('Hel');
    gate.open();
    await terminal.shows('lo.\n');
    await terminal.shows(PROMPT);
    terminal.type('Bye\r');
    await terminal.shows('Bye.\n');
    await terminal.shows(PROMPT);
    terminal.type('/exit\r');
    assert.equal(await terminal.exitCode, 0);
    assert.deepEqual(prompts(), ['Hi', 'Bye']);
    assert.equal(terminal.text.split('as you.').length, 2);
  });

  it('shows the whole command with its hidden characters, and runs it after a yes', async () => {
    const command = `touch p${' '.repeat(200)}; echo hi\u202e`;
    cli.server.script({ toolCalls: [{ name: 'run_terminal_command', arguments: { command } }] }, { text: 'Done.' });
    const terminal = start(['-p', 'Make it']);
    await terminal.shows('touch p<200 spaces>; echo hi<U+202E>\n');
    await terminal.shows('Run?');
    assert.deepEqual(await readdir(cli.folder), ['a.txt']);
    terminal.type('y\r');
    await terminal.shows('Done.\n');
    assert.equal(await terminal.exitCode, 0);
    assert.deepEqual(await readdir(cli.folder), ['a.txt', 'p']);
  });

  for (const [name, args, typed] of [
    ['a prompt', ['-p', 'Hi'], undefined],
    ['a conversation', [], 'Hi\r'],
  ] as const) {
    it(`asks for the API key that the server wants, shows and keeps nothing of it, and answers ${name}`, async () => {
      await cli.replaceServer(() => ModelServer.start({ apiKey: 'sk-right' }));
      cli.server.script({ text: 'Hello.' });
      const terminal = start(args);
      if (typed !== undefined) {
        await terminal.shows(PROMPT);
        terminal.type(typed);
      }
      const question = `API key for ${new URL(cli.server.baseUrl).origin}, not shown (Enter: none): `;
      await terminal.shows(question);
      terminal.type('sk-wrong\r');
      await terminal.shows(question);
      terminal.type('sk-right\r');
      await terminal.shows('Hello.\n');
      if (typed !== undefined) {
        await terminal.shows(PROMPT);
        terminal.type('/exit\r');
      }
      assert.equal(await terminal.exitCode, 0);
      assert.deepEqual(prompts().at(-1), 'Hi');
      assert.doesNotMatch(terminal.text, /sk-/);
      assert.doesNotMatch(JSON.stringify(cli.server.requests.map(({ body }) => body)), /sk-/);
      for (const file of await readdir(cli.home, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        assert.ok(!(await readFile(path.join(file.parentPath, file.name))).includes('sk-'), file.name);
      }
    });
  }

  it('fails with the error of the server when no key is given', async () => {
    await cli.replaceServer(() => ModelServer.start({ apiKey: 'sk-right' }));
    const terminal = start(['-p', 'Hi']);
    await terminal.shows('(Enter: none): ');
    terminal.type('\r');
    assert.equal(await terminal.exitCode, 1);
    assert.match(terminal.text, /API key/);
  });

  it('treats several pasted lines as one prompt, which Enter sends', async () => {
    cli.server.script({ text: 'Three lines.' });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type(`${ESCAPE}[200~first\rsecond\r/exit${ESCAPE}[201~`);
    await terminal.shows('/exit');
    assert.equal(cli.server.completions.length, 0);
    terminal.type('\r');
    await terminal.shows('Three lines.\n');
    assert.deepEqual(prompts(), ['first\nsecond\n/exit']);
    await terminal.shows(PROMPT);
    terminal.type('\u0004');
    assert.equal(await terminal.exitCode, 0);
  });

  it('stops the run at Ctrl+C, and ends at the second Ctrl+C', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('Tell\r');
    await terminal.shows('Once upon ');
    terminal.type('\u0003');
    assert.equal(await (await cli.server.completion(1)).closed, 'broken');
    await terminal.shows(PROMPT);
    terminal.type('\u0003');
    assert.equal(await terminal.exitCode, 0);
    gate.open();
  });

  it('says at Ctrl+C that a second one ends, and clears the typed text', async () => {
    cli.server.script({ text: 'Hello.' });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('rm -rf');
    await terminal.shows('rm -rf');
    terminal.type('\u0003');
    await terminal.shows('Press Ctrl+C again to end, or type /exit.\n');
    await terminal.shows(PROMPT);
    terminal.type('Hi\r');
    await terminal.shows('Hello.\n');
    await terminal.shows(PROMPT);
    // A prompt came in between, so this counts as the first again.
    terminal.type('\u0003');
    await terminal.shows('Press Ctrl+C again to end');
    terminal.type('\u0003');
    assert.equal(await terminal.exitCode, 0);
    assert.deepEqual(prompts(), ['Hi']);
  });

  it('ends with Ctrl+D, even during a run', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('Tell\r');
    await terminal.shows('Once upon ');
    terminal.type('\u0004');
    assert.equal(await (await cli.server.completion(1)).closed, 'broken');
    assert.equal(await terminal.exitCode, 0);
    gate.open();
  });

  it('continues when the window changes its size', async () => {
    cli.server.script({ text: 'Hello.' });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('A prompt that is longer than the window will be');
    await terminal.shows('will be');
    terminal.resize(20, 10);
    terminal.type(' now\r');
    await terminal.shows('Hello.\n');
    assert.deepEqual(prompts(), ['A prompt that is longer than the window will be now']);
    await terminal.shows(PROMPT);
    terminal.type('/exit\r');
    assert.equal(await terminal.exitCode, 0);
  });

  it('neutralises control characters from the model', async () => {
    cli.server.script(
      { toolCalls: [{ name: 'read_file', arguments: { path: `${ESCAPE}]0;x\u0007` } }] },
      { text: `a${ESCAPE}[2Jb\u009b31mc\u0008\u0007` },
    );
    const terminal = start(['-p', 'Go']);
    assert.equal(await terminal.exitCode, 0);
    assert.match(terminal.text, /a<ESC>\[2Jb<U\+009B>31mc<BACKSPACE><BEL>\n/);
    for (const raw of [`${ESCAPE}[2J`, '\u009b', '\u0007', '\u0008', `${ESCAPE}]`]) {
      assert.ok(!terminal.text.includes(raw), JSON.stringify(raw));
    }
  });

  it('colours everything except the answer, and nothing with NO_COLOR or on a dumb terminal', async () => {
    const read = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };
    const colour = new RegExp(`${ESCAPE}\\[\\d+m`);
    cli.server.script(read, { text: 'One.' }, read, { text: 'One.' }, read, { text: 'One.' });
    for (const [env, isColoured] of [
      [{}, true],
      [{ NO_COLOR: '1' }, false],
      [{ TERM: 'dumb' }, false],
    ] as const) {
      const terminal = start(['-p', 'Read'], env);
      assert.equal(await terminal.exitCode, 0);
      assert.equal(colour.test(terminal.text), isColoured, JSON.stringify(env));
      assert.match(terminal.text, /One\.\n/);
    }
  });

  it('writes only the answer to a file, and asks on the terminal', async () => {
    const edit = { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] };
    cli.server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: `Done${ESCAPE}[0m.` });
    const terminal = cli.startWithAnswerIn('answer', [...cli.flags, '-p', 'Change it']);
    await terminal.shows('Accept?');
    terminal.type('y\r');
    assert.equal(await terminal.exitCode, 0);
    assert.equal(await readFile(path.join(cli.folder, 'answer'), 'utf8'), 'Done<ESC>[0m.\n');
    assert.equal(await readFile(path.join(cli.folder, 'a.txt'), 'utf8'), 'two\n');
  });

  it('asks for the model if the server has several, and changes it with /model', async () => {
    await cli.replaceServer(() => ModelServer.start({ models: ['small', 'big'] }));
    cli.server.script({ text: 'One.' }, { text: 'Two.' });
    const terminal = cli.startInTerminal(['--base-url', cli.server.baseUrl]);
    await terminal.shows('  1  small');
    await terminal.shows('  2  big');
    await terminal.shows('Number or name of the model');
    terminal.type('3\r');
    await terminal.shows('There is no number 3.');
    await terminal.shows('Number or name of the model');
    terminal.type('2\r');
    await terminal.shows(PROMPT);
    terminal.type('Hi\r');
    await terminal.shows('One.\n');
    await terminal.shows(PROMPT);
    terminal.type('/model small\r');
    await terminal.shows('From the next prompt on: small.\n');
    await terminal.shows(PROMPT);
    terminal.type('Hi\r');
    await terminal.shows('Two.\n');
    assert.deepEqual(
      cli.server.completions.map(({ body }) => body.model),
      ['big', 'small'],
    );
  });

  it('changes the mode with /mode, and tells the model', async () => {
    const write = { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'b' } }] };
    cli.server.script(write, { text: 'Refused.' });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('/mode\r');
    await terminal.shows('Mode ask: ');
    terminal.type('/mode yolo\r');
    await terminal.shows('There is no mode "yolo". The modes are: plan, ask, acceptEdits.\n');
    terminal.type('/mode plan\r');
    await terminal.shows('Mode plan: Reads only.');
    await terminal.shows(PROMPT);
    terminal.type('Write\r');
    await terminal.shows('Refused.\n');
    assert.match(String(prompts()[0]), /^\[Mode: plan\./);
    assert.deepEqual(await readdir(cli.folder), ['a.txt']);
  });

  it('starts another session with /new, and returns with /sessions', async () => {
    cli.server.script({ text: 'Hello Ada.' }, { text: 'Who?' }, { text: 'Ada.' });
    const terminal = start();
    await terminal.shows(PROMPT);
    terminal.type('I am Ada\r');
    await terminal.shows('Hello Ada.\n');
    await terminal.shows(PROMPT);
    terminal.type('/new\r');
    await terminal.shows(PROMPT);
    terminal.type('Who am I?\r');
    await terminal.shows('Who?\n');
    await terminal.shows(PROMPT);
    terminal.type('/sessions\r');
    await terminal.shows('*  1  ');
    await terminal.shows('Who am I?\n');
    await terminal.shows('   2  ');
    await terminal.shows('I am Ada\n');
    await terminal.shows('Number of the session');
    terminal.type('2\r');
    await terminal.shows('Continuing "I am Ada".\n> I am Ada\nHello Ada.\n');
    await terminal.shows(PROMPT);
    terminal.type('And who am I now?\r');
    await terminal.shows('Ada.\n');
    assert.deepEqual(
      cli.server.completions[2]!.body.messages.slice(1).map(({ content }) => content),
      ['I am Ada', 'Hello Ada.', 'And who am I now?'],
    );
  });

  it('describes tools in text where the template has none, warns, and continues', async () => {
    cli.server.setRoute('/props', {
      status: 200,
      body: { default_generation_settings: { n_ctx: 8192 }, chat_template_caps: { supports_tools: false } },
    });
    cli.server.script({ text: 'Hello.' });
    const terminal = cli.startInTerminal(['--base-url', cli.server.baseUrl, '-p', 'Hi']);
    await terminal.shows('Warning: The chat template of test-model has no tools, so they are described in text');
    await terminal.shows(`The model is test-model at ${cli.server.baseUrl}.\n`);
    await terminal.shows('Hello.\n');
    const { messages, tools } = cli.server.completions[0]!.body;
    assert.equal(tools, undefined);
    assert.match(messages[0]?.content ?? '', /^## read_file\(/m);
    assert.equal(await terminal.exitCode, 0);
  });

  it('checks a server with doctor', async () => {
    await cli.replaceServer(() => startDoctorServer());
    const terminal = cli.startInTerminal(['doctor', '--base-url', cli.server.baseUrl]);
    await terminal.shows('[OK] Tool calls: The model calls tools natively.\n');
    assert.equal(await terminal.exitCode, 0);
    assert.ok(!terminal.text.includes(ESCAPE));
  });

  it('asks nobody with --no-tui, and ends with 3', async () => {
    cli.server.script(
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'rm a.txt' } }] },
      { text: 'No.' },
    );
    const terminal = start(['--no-tui', '-p', 'Remove it']);
    assert.equal(await terminal.exitCode, 3);
    assert.match(terminal.text, /Denied: nobody can be asked\.\n/);
    assert.ok(!terminal.text.includes(ESCAPE));
    assert.deepEqual(await readdir(cli.folder), ['a.txt']);
  });

  it('requires a prompt with --no-tui', async () => {
    const terminal = start(['--no-tui']);
    assert.equal(await terminal.exitCode, 2);
    assert.match(terminal.text, /give a prompt with -p/);
  });

  it('stops the answer to a single prompt at Ctrl+C, and ends with 130', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] });
    const terminal = start(['-p', 'Tell']);
    await terminal.shows('Once upon ');
    terminal.type('\u0003');
    assert.equal(await (await cli.server.completion(1)).closed, 'broken');
    assert.equal(await terminal.exitCode, 130);
    gate.open();
  });
});
