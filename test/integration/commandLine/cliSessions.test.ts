import assert from 'node:assert/strict';
import { appendFile, mkdir, readdir, readFile, rename, symlink, utimes } from 'node:fs/promises';
import path from 'node:path';
import type { CliEnded } from '../../support/commandLine/commandLine';
import { PROMPT } from '../../support/commandLine/startHere';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { createGate } from '../../support/servers/modelServer';

interface Entry {
  readonly type: string;
  readonly ts: number;
  readonly status?: string;
  readonly text?: string;
}

describe('sessions of the command line', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n', 'other/b.txt': '' } });
  const run = (prompt: string, ...args: readonly string[]): Promise<CliEnded> =>
    cli.run([...cli.flags, '-p', prompt, ...args]);
  const sessions = (): string => path.join(cli.home, '.open-agent', 'sessions');
  const fileOf = (id: string): string => path.join(sessions(), `${id}.jsonl`);
  /** The messages of the newest request, without the system prompt. */
  const asked = (): unknown[] =>
    cli.server.completions
      .at(-1)!
      .body.messages.slice(1)
      .map(({ content }) => content);

  async function ids(): Promise<readonly string[]> {
    const names = (await readdir(sessions())).filter((name) => name.endsWith('.jsonl'));
    return names.map((name) => path.basename(name, '.jsonl'));
  }

  async function entriesOf(id: string): Promise<readonly Entry[]> {
    const lines = (await readFile(fileOf(id), 'utf8')).trimEnd().split('\n');
    return lines.map((line) => JSON.parse(line) as Entry);
  }

  /** Answers each prompt in a new session. Resolves to the ids in the same order. */
  async function keep(...prompts: readonly string[]): Promise<readonly string[]> {
    const kept: string[] = [];
    for (const prompt of prompts) {
      cli.server.script({ text: `To ${prompt}.` });
      assert.equal((await run(prompt)).code, 0);
      kept.push(...(await ids()).filter((id) => !kept.includes(id)));
    }
    return kept;
  }

  it('start with the system message, and record the state of each run', async () => {
    const [id = ''] = await keep('one');
    const statuses = async () =>
      (await entriesOf(id)).flatMap(({ type, status }) => (type === 'status_update' && status) || []);
    assert.equal((await entriesOf(id))[0]?.type, 'system_message');
    assert.deepEqual(await statuses(), ['RUNNING', 'FINISHED']);
    cli.server.script({ toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] });
    assert.equal((await run('two', '--resume', id, '--max-iterations', '1')).code, 4);
    assert.deepEqual((await statuses()).slice(2), ['RUNNING', 'IDLE']);
    cli.server.script({ kind: 'status', status: 400, body: { error: { message: 'no' } } });
    assert.equal((await run('three', '--resume', id)).code, 1);
    assert.deepEqual((await statuses()).slice(4), ['RUNNING', 'ERROR']);
    const gate = createGate();
    cli.server.script({ text: ['Once ', gate, 'upon'] });
    const terminal = cli.startInTerminal([...cli.flags, '-p', 'four', '--resume', id]);
    await terminal.shows('Once ');
    terminal.type('\u0003');
    assert.equal(await terminal.exitCode, 130);
    assert.deepEqual((await statuses()).slice(6), ['RUNNING', 'CANCELED']);
    gate.open();
  });

  it('continue the most recently active session, whatever the file times say', async () => {
    const [first = '', second = ''] = await keep('one', 'two');
    await utimes(fileOf(first), new Date(), new Date());
    await utimes(fileOf(second), new Date(0), new Date(0));
    cli.server.script({ text: 'Good.' }, { text: 'Better.' });
    const { code, stdout } = await run('three', '--autoresume');
    assert.deepEqual([code, stdout], [0, 'Good.\n']);
    assert.deepEqual(asked(), ['two', 'To two.', 'three']);
    assert.equal((await run('four', '--resume', first.slice(0, 8))).code, 0);
    assert.deepEqual(asked(), ['one', 'To one.', 'four']);
    assert.deepEqual([...(await ids())].sort(), [first, second].sort());
  });

  it('continue after a torn last line', async () => {
    const [id = ''] = await keep('one');
    await appendFile(fileOf(id), '{"v":1,"id":"half","parentId":null,"se');
    cli.server.script({ text: 'Good.' });
    assert.equal((await run('two', '--autoresume')).code, 0);
    assert.deepEqual(asked(), ['one', 'To one.', 'two']);
  });

  it('say once what of them could not be read: a kill or a power cut tore a line, or left zeros', async () => {
    const [id = ''] = await keep('one');
    const lost = /Warning: Line \d+ of this session's file could not be read and was left out\. The file itself was /;
    // Within a character of four bytes.
    await appendFile(fileOf(id), Buffer.from('{"v":1,"id":"half","text":"\u{1F642}').subarray(0, -2));
    cli.server.script({ text: 'Good.' }, { text: 'Better.' }, { text: 'Best.' });
    const asText = await run('two', '--autoresume');
    assert.deepEqual([asText.code, asText.stdout], [0, 'Good.\n']);
    assert.match(asText.stderr, lost);
    assert.doesNotMatch((await run('three', '--autoresume')).stderr, lost);

    await appendFile(fileOf(id), Buffer.alloc(4096));
    const asEvents = await run('four', '--autoresume', '--output', 'json');
    const events = asEvents.stdout.trimEnd().split('\n');
    const warnings = events.map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.deepEqual(
      warnings.filter(({ message }) => lost.test(`Warning: ${String(message)}`)).map(({ type }) => type),
      ['warning'],
    );
    assert.deepEqual(asked(), ['one', 'To one.', 'two', 'Good.', 'three', 'Better.', 'four']);

    await appendFile(fileOf(id), Buffer.from('{"v":1,"id":"torn'));
    const chat = cli.startHere([...cli.flags, '--autoresume']);
    await chat.stderr.shows('Continuing "one".\nWarning: Line ');
    chat.endInput();
    assert.equal(await chat.exitCode, 0);
  });

  it('start new with --autoresume if the folder has none, and belong to their folder', async () => {
    const [id = ''] = await keep('one');
    cli.server.script({ text: 'Hello.' });
    const other = ['--cwd', 'other'];
    assert.equal((await run('two', '--autoresume', ...other)).code, 0);
    assert.deepEqual(asked(), ['two']);
    const refused = await run('three', '--resume', id, ...other);
    assert.deepEqual([refused.code, refused.stdout], [2, '']);
    assert.equal(
      refused.stderr,
      `Error: The session ${id} belongs to ${cli.folder}. Continue it there: --cwd ${cli.folder}\n`,
    );
  });

  it('are named in errors about a missing session or an ambiguous id', async () => {
    await keep('one', 'two');
    const unknown = await run('three', '--resume', 'nothing');
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^Error: There is no session "nothing" in \S+\. Type \/sessions in a conversation/);
    const both = await run('three', '--resume', 'nothing', '--autoresume');
    assert.match(
      both.stderr,
      /^Give either --autoresume \(the newest session\) or --resume \(a session by its id\)\.\n/,
    );
  });

  it('are written by one process; a second process gets an error and ends with 6', async () => {
    const [id = ''] = await keep('one');
    const terminal = cli.startInTerminal([...cli.flags, '--resume', id]);
    await terminal.shows('Continuing "one".\n> one\nTo one.\n');
    await terminal.shows('> ');
    for (const args of [['--resume', id], ['--autoresume'], ['--autoresume', '--output', 'json']]) {
      const { code, stdout, stderr } = await run('two', ...args);
      assert.deepEqual([code, stdout], [6, '']);
      assert.match(stderr, new RegExp(`^Error: The session ${id} is open in another process\\. Close it there, or `));
    }
    terminal.type('/exit\r');
    assert.equal(await terminal.exitCode, 0);
    cli.server.script({ text: 'Good.' });
    assert.equal((await run('two', '--autoresume')).code, 0);
  });

  it('that cannot be written end with 7 and the cause, however the run ended', async () => {
    await mkdir(path.dirname(sessions()));
    // No folder can be made there, also not by the superuser.
    await symlink(path.join(cli.home, 'missing', 'folder'), sessions());
    const saved = /Error: .*The session could not be saved in .*sessions: E[A-Z]+/;

    cli.server.script({ text: 'An answer.' }, { text: 'An answer.' }, { kind: 'status', status: 400, body: {} });
    const asText = await run('Hi');
    assert.deepEqual([asText.code, asText.stdout], [7, 'An answer.\n']);
    assert.match(asText.stderr, /This session cannot be saved: E/);
    assert.match(asText.stderr, saved);

    const asEvents = await run('Hi', '--output', 'json');
    const last = JSON.parse(asEvents.stdout.trimEnd().split('\n').at(-1) ?? '') as Record<string, unknown>;
    assert.deepEqual([asEvents.code, last.type, last.status, last.exitCode], [7, 'result', 'FINISHED', 7]);
    assert.match(asEvents.stderr, saved);

    const failed = await run('Hi');
    assert.equal(failed.code, 7);
    assert.match(failed.stderr, saved);

    cli.server.script({ text: 'An answer.' });
    const chat = cli.startHere(cli.flags);
    await chat.stderr.shows(PROMPT);
    await chat.say('Hi');
    chat.endInput();
    assert.equal(await chat.exitCode, 7);
    assert.match(await chat.stderr.shows('could not be saved in'), /Error: The session/);
  });

  it('of a served run that cannot be written are told of, and the server ends with 7', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once ', gate, 'upon'] });
    const served = cli.startHere(['serve', '--port', '0', ...cli.flags], { isTerminal: false });
    await served.stdout.shows('Token: ');
    await served.stdout.shows('\n');
    const [, baseUrl = '', token = ''] = / at (\S+), model[^]*Token: (\S+)\n/.exec(served.stdout.text) ?? [];
    const ask = (content: string): Promise<Response> =>
      fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
        body: JSON.stringify({ model: 'open-agent', messages: [{ role: 'user', content }] }),
      });
    const answer = ask('Tell a tale');
    await gate.reached;
    // Nothing can be written there any more, also not by the superuser.
    const moved = path.join(cli.home, 'moved');
    await rename(sessions(), moved);
    await symlink(path.join(cli.home, 'missing', 'folder'), sessions());
    gate.open();
    assert.equal((await answer).status, 200);
    await served.stderr.shows(`\nError: The session could not be saved in ${sessions()}: E`);

    const refused = await ask('Another');
    assert.equal(refused.status, 500);
    const { error } = (await refused.json()) as { error: { message: string } };
    assert.match(
      error.message,
      /^The session of this request could not be saved, so nothing was sent to the model: .*E[A-Z]+: /,
    );
    assert.equal(cli.server.completions.length, 1);
    served.stop();
    assert.equal(await served.exitCode, 7);
  });

  it('are stored in the home folder and never in the working folder, even with an empty HOME', async () => {
    const env = { HOME: '', OPEN_AGENT_SETTINGS: 'settings.json' };
    const { code } = await cli.run(['-p', 'x'], { env });
    assert.equal(code, 2);
    assert.deepEqual([...(await readdir(cli.folder))].sort(), ['a.txt', 'other']);
  });
});
