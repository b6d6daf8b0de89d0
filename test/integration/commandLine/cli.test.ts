import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { projectRoot } from '../../../scripts/projectRoot';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import { startDoctorServer } from '../../support/servers/doctorServer';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { safetySample } from '../../support/safetySample';

const hostWarning =
  'Warning: the agent edits files and runs commands on this machine, as you. Nobody can be asked here, so calls that need an answer are denied.\n';

describe('command line', () => {
  const cli = useCommandLine({ files: { 'a.txt': 'one\n' } });

  async function sessionEntries(): Promise<{ readonly type: string }[]> {
    const sessions = path.join(cli.home, '.open-agent', 'sessions');
    const [file, ...others] = (await readdir(sessions)).filter((name) => name.endsWith('.jsonl'));
    assert.ok(file !== undefined && others.length === 0);
    const text = await readFile(path.join(sessions, file), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
  }

  it('prints only the answer on standard output, and keeps the session', async () => {
    cli.server.script({ text: 'Two and two is four.' });
    const ended = await cli.run(['-p', 'What is 2 + 2?', ...cli.flags]);
    assert.deepEqual(ended, { code: 0, stdout: 'Two and two is four.\n', stderr: hostWarning });
    const { model, messages, temperature, max_tokens } = cli.server.completions[0]!.body;
    assert.deepEqual(
      [model, messages.map(({ role }) => role), temperature, max_tokens],
      ['m', ['system', 'user'], undefined, undefined],
    );
    const types = (await sessionEntries()).map(({ type }) => type);
    assert.deepEqual([types.includes('user_message'), types.includes('assistant_message')], [true, true]);
  });

  it('knows in the next command what the template of the server refuses', async () => {
    const words = 'Jinja Exception: Tool call IDs should be alphanumeric strings with length 9!';
    const look = { toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] };
    cli.server.script(look, { kind: 'status', status: 500, body: { error: { code: 500, message: words } } });
    cli.server.script({ text: 'One.' });
    assert.equal((await cli.run(['-p', 'Read a.txt', ...cli.flags])).stdout, 'One.\n');
    cli.server.script(look, { text: 'One again.' });
    assert.equal((await cli.run(['-p', 'Read a.txt', ...cli.flags])).stdout, 'One again.\n');
    const sent = cli.server.completions.flatMap(({ body }) =>
      body.messages.flatMap(({ tool_calls: calls }) => calls?.map(({ id }) => /^[a-zA-Z0-9]{9}$/.test(id)) ?? []),
    );
    assert.deepEqual(sent, [false, true, true]);
  });

  it('reads prompt, server, model and key from standard input and the environment', async () => {
    await cli.replaceServer(() => ModelServer.start({ apiKey: 'sk-1', models: ['only-model'] }));
    cli.server.script({ text: 'Hi.' });
    const env = { OPEN_AGENT_BASE_URL: cli.server.origin, OPEN_AGENT_API_KEY: 'sk-1' };
    const stderr = `${hostWarning}The model is only-model at ${cli.server.baseUrl}.\n`;
    assert.deepEqual(await cli.run([], { env, stdin: 'Hello\n' }), { code: 0, stdout: 'Hi.\n', stderr });
    const { body, headers } = cli.server.completions[0]!;
    assert.deepEqual([body.model, headers.authorization], ['only-model', 'Bearer sk-1']);
  });

  it('hides a key from the process list', async function () {
    // Other systems have no process list in files.
    if (process.platform !== 'linux') this.skip();
    const gate = createGate();
    cli.server.script({ text: ['Hi', gate, '.'] });
    const { child, ended } = cli.start([
      '-p',
      'Hi',
      '--base-url',
      cli.server.baseUrl,
      '--model',
      'm',
      '--api-key',
      'sk-12345678',
    ]);
    await gate.reached;
    assert.equal((await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).replaceAll('\0', ''), 'open-agent');
    gate.open();
    assert.equal((await ended).code, 0);
    assert.equal(cli.server.completions[0]!.headers.authorization, 'Bearer sk-12345678');
  });

  it('checks the server and the model, and ends with 1 for a problem', async () => {
    await cli.replaceServer(() => startDoctorServer({ contextWindow: 4_096, apiKey: 'sk-12345678' }));
    const env = { OPEN_AGENT_BASE_URL: cli.server.origin, OPEN_AGENT_API_KEY: 'sk-12345678' };
    const { code, stdout, stderr } = await cli.run(['doctor'], { env });
    const lines = stdout.split('\n');
    assert.deepEqual(lines.slice(0, 3), [`Server: llama.cpp at ${cli.server.baseUrl}`, 'Model: test-model', '']);
    assert.ok(lines.includes('[OK] Tool calls: The model calls tools natively.'), stdout);
    assert.match(
      stdout,
      /\[Problem\] Context window: 4,096 tokens.*\n {2}-> Start llama-server with -c 32768.*\n {5}-c 32768\n/,
    );
    assert.match(stdout, /\n1 problem, 9 fine\.\n$/);
    assert.match(stderr, /^Server …\nModel …\n/);
    assert.equal(code, 1);
    assert.ok(!(stdout + stderr).includes('sk-12345678'));
  });

  it('serves the agent with a generated token, and ends with Ctrl+C', async () => {
    cli.server.script({ text: 'Hi.' });
    const flags = [...cli.flags, '--max-response-tokens', '50', '--allow-origin', 'app://obsidian.md'];
    const { child, ended } = cli.start(['serve', '--port', '0', ...flags]);
    const said = await new Promise<string>((resolve, reject) => {
      ended.then(({ stderr }) => reject(new Error(stderr)), reject);
      let text = '';
      child.stdout.on('data', (part: string) => {
        text += part;
        if (text.includes('Token: ') && text.endsWith('\n')) resolve(text);
      });
    });
    const [, baseUrl = '', token = ''] =
      /^Serving .* at (http:\S+), model open-agent\.\nToken: (\S{43})\n$/.exec(said) ?? [];
    const answer = await fetch(`${baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ model: 'open-agent', messages: [{ role: 'user', content: 'Hello' }] }),
    });
    for (const [origin, status] of [
      ['app://obsidian.md', 200],
      ['https://example.com', 403],
    ] as const) {
      const headers = { authorization: `Bearer ${token}`, origin, connection: 'close' };
      assert.equal((await fetch(`${baseUrl}/models`, { headers })).status, status);
    }
    const { choices } = (await answer.json()) as { choices: { message: unknown }[] };
    assert.deepEqual(choices[0]?.message, { role: 'assistant', content: 'Hi.' });
    assert.equal(cli.server.completions[0]?.body.max_tokens, 50);
    const { port } = new URL(baseUrl);
    const second = await cli.run(['serve', '--port', port, ...flags]);
    const taken = `Port ${port} is taken: another program or window listens there.`;
    assert.deepEqual(
      [second.code, second.stderr],
      [1, `${taken} Choose another with --port; 0 takes any free port.\n`],
    );
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^The agent runs commands on this machine.*\n\S+ started: 1 message\.\n\S+ completed after .*: stop, .*\n$/,
    );
    assert.ok(!stderr.includes(token));
  });

  it('ends a check without problems with 0, and an interrupted check with 130', async () => {
    const gate = createGate();
    await cli.replaceServer(() => startDoctorServer());
    assert.equal((await cli.run(['doctor', '--base-url', cli.server.baseUrl])).code, 0);
    await cli.replaceServer(() => startDoctorServer({ replies: { plain: { text: ['1 ', gate, '2'] } } }));
    const { child, ended } = cli.start(['doctor', '--base-url', cli.server.baseUrl]);
    await gate.reached;
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.equal(code, 130);
    assert.match(stdout, /\nStopped\. 1 fine\.\n$/);
    gate.open();
  });

  it('runs reading tools in the folder', async () => {
    cli.server.script({ toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'It says one.' });
    const ended = await cli.run(['-p', 'Read a.txt', ...cli.flags]);
    assert.deepEqual(ended, {
      code: 0,
      stdout: 'It says one.\n',
      stderr: `${hostWarning}> read_file {"path":"a.txt"}\n`,
    });
    assert.match(cli.server.completions[1]!.body.messages.at(-1)!.content ?? '', /one/);
  });

  it('denies calls that need a person, tells the model, shows the call, and ends with 3', async () => {
    const edit = { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] };
    cli.server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'I would have changed it.' });
    const ended = await cli.run(['-p', 'Change it', ...cli.flags]);
    assert.deepEqual([ended.code, ended.stdout], [3, 'I would have changed it.\n']);
    assert.match(ended.stderr, /Edit a\.txt \(\+1 -1\)\n@@.*@@\n-one\n\+two\n/);
    assert.match(cli.server.completions[1]!.body.messages.at(-1)!.content ?? '', /denied.*without a terminal/s);
    assert.equal(await readFile(path.join(cli.folder, 'a.txt'), 'utf8'), 'one\n');
  });

  it('reports a problem with the server and ends with 1', async () => {
    const { baseUrl } = cli.server;
    await cli.server.dispose();
    const ended = await cli.run(['-p', 'Hi', '--base-url', baseUrl, '--model', 'm']);
    assert.deepEqual([ended.code, ended.stdout], [1, '']);
    const tries = ended.stderr.split('\n').flatMap((line) => /Trying again in \d+ s \((.*)\)\.$/.exec(line)?.[1] ?? []);
    assert.deepEqual(tries, ['1 of 3', '2 of 3', '3 of 3']);
    assert.match(ended.stderr, /^Error: Cannot reach http:\/\/127\.0\.0\.1:\d+\/v1/m);
  });

  it('reports that the server has no model and ends with 1', async () => {
    await cli.replaceServer(() => ModelServer.start({ models: [] }));
    const ended = await cli.run(['-p', 'Hi', '--base-url', cli.server.baseUrl]);
    assert.deepEqual([ended.code, ended.stdout], [1, '']);
    assert.match(ended.stderr, /^Error: .* has no model\./m);
  });

  it('ends with 1 when the answer was cut off', async () => {
    cli.server.script({ text: 'Half an ans', finishReason: null });
    const ended = await cli.run(['-p', 'Hi', ...cli.flags]);
    assert.deepEqual([ended.code, ended.stdout], [1, 'Half an ans\n']);
  });

  it('lets the answer begin again when the connection broke', async () => {
    cli.server.script({ text: 'Half an ans', cut: true }, { text: 'A whole answer.' });
    const ended = await cli.run(['-p', 'Hi', ...cli.flags]);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /A whole answer\.\n$/);
    assert.match(ended.stderr, /broke during the answer.*The answer begins again\./);
  });

  it('stops at SIGINT, keeps the partial answer, and ends with 130', async () => {
    const gate = createGate();
    cli.server.script({ text: ['Once upon ', gate, 'a time'] });
    const { child, ended } = cli.start(['-p', 'Tell', ...cli.flags]);
    child.stdin.end();
    const request = await cli.server.completion(1);
    await new Promise<void>((resolve) => child.stdout.once('data', () => resolve()));
    child.kill('SIGINT');
    assert.equal(await request.closed, 'broken');
    const { code, stdout } = await ended;
    assert.deepEqual([code, stdout], [130, 'Once upon \n']);
    gate.open();
  });

  for (const [name, args, stdin, words] of [
    ['an unknown flag', ['--nope'], '', /--nope.*\nSee open-agent --help\.\n$/s],
    ['no prompt', [], '', /^There is no prompt/],
    ['a folder that is none', ['-p', 'x', '--cwd', 'a.txt'], '', /a\.txt is not a folder\.\n$/],
  ] as const) {
    it(`ends with 2 for ${name}`, async () => {
      const ended = await cli.run(args, { stdin });
      assert.deepEqual([ended.code, ended.stdout], [2, '']);
      assert.match(ended.stderr, words);
    });
  }

  it('prints help and version', async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    const [help, printed] = await Promise.all([cli.run(['--help']), cli.run(['--version'])]);
    assert.match(help.stdout, /^Usage: open-agent/);
    assert.deepEqual(printed, { code: 0, stdout: `open-agent ${version}\n`, stderr: '' });
  });

  it('uses a profile and an agent from the settings file', async () => {
    cli.server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two' } }] },
      { text: 'I would write b.txt.' },
    );
    const settings = {
      baseUrl: 'http://127.0.0.1:9/v1',
      profiles: [{ id: 'gpu', baseUrl: cli.server.baseUrl, model: 'big', topK: 5 }, { id: 'bad' }],
      agents: [{ id: 'planner', profile: 'gpu', permissionMode: 'plan', excludeTools: ['run_terminal_command'] }],
    };
    await mkdir(path.join(cli.home, '.open-agent'), { recursive: true });
    await writeFile(path.join(cli.home, '.open-agent', 'settings.json'), JSON.stringify(settings));
    const { code, stdout, stderr } = await cli.run(['-p', 'Write b.txt', '--agent', 'planner']);
    assert.deepEqual([code, stdout], [0, 'I would write b.txt.\n']);
    assert.match(stderr, /Warning: Profile "bad": baseUrl: .*; model: /);
    assert.match(stderr, /From here on: agent "planner", profile "gpu" \(big at /);
    assert.match(stderr, /plan mode: edits are refused/);
    const body = cli.server.completions[0]!.body as unknown as Record<string, unknown>;
    assert.deepEqual([body['model'], body['top_k'], (body['tools'] as unknown[]).length], ['big', 5, 5]);
    assert.deepEqual((await cli.run(['-p', 'x', '--profile', 'bad'])).code, 2);
  });

  it('runs a read-only command without asking, and no other command if nobody can be asked', async () => {
    const call = (command: string) => ({
      toolCalls: [{ name: 'run_terminal_command', arguments: { command } }],
    });
    cli.server.script(call('cat a.txt'), call('touch p'), call('cat $(touch p)'), call('cat ../x'), { text: 'Done.' });
    await cli.run(['-p', 'Go on', ...cli.flags]);
    const results = cli.server.completions.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
    assert.equal(results.length, 4);
    assert.equal(results[0]?.content, 'Exit code 0.\none');
    for (const { content } of results.slice(1)) assert.doesNotMatch(String(content), /Exit code/);
    assert.deepEqual(await readdir(cli.folder), ['a.txt']);
  });

  it('keeps git from running programs of the repository or the machine when it runs without a question', async () => {
    const trace = path.join(cli.home, 'p');
    const payload = path.join(cli.home, 'payload');
    await writeFile(payload, `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    await writeFile(path.join(cli.home, '.gitconfig'), `[core]\n\tfsmonitor = ${payload}\n`);
    const env = { PATH: process.env.PATH, HOME: cli.home };
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: cli.folder, env, stdio: 'ignore' });
    git('-c', 'core.fsmonitor=', 'init', '-q');
    await writeFile(path.join(cli.folder, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${trace}\n`, {
      mode: 0o755,
    });
    const call = { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'git status -s' } }] };
    const ask = () => cli.run(['-p', 'Look', ...cli.flags]);
    cli.server.script(call, { text: 'Looked.' }, call, { text: 'No.' });
    assert.equal((await ask()).code, 0);
    assert.match(String(cli.server.completions[1]!.body.messages.at(-1)?.content), /^Exit code 0\.\n\?\? a\.txt/);
    assert.equal(existsSync(trace), false);
    git('-c', 'core.fsmonitor=', 'config', 'diff.external', payload);
    assert.equal((await ask()).code, 3);
    assert.equal(existsSync(trace), false);
    // The payload works.
    git('status');
    assert.equal(existsSync(trace), true);
  });

  it('denies a command if nobody can be asked, and ends with the exit code for a denial', async () => {
    const { input, expected } = safetySample('RU26', z.object({ command: z.string() }));
    cli.server.script(
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: input.command } }] },
      { text: 'No.' },
    );
    const { code } = await cli.run(['-p', 'Go on', ...cli.flags]);
    assert.equal(`deny, exit code ${code}`, expected);
    assert.match(String(cli.server.completions[1]!.body.messages.at(-1)?.content), /Nobody can approve it/);
  });
});
