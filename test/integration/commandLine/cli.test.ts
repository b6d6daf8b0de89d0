import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { projectRoot } from '../../../scripts/projectRoot';
import { cliCommand } from '../../support/commandLine/commandLine';
import { startDoctorServer } from '../../support/servers/doctorServer';
import { createGate, ModelServer } from '../../support/servers/modelServer';
import { safetySample } from '../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Started {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

const hostWarning =
  'Warning: the agent edits files and runs commands on this machine, as you. What it would have to ask about is denied.\n';

describe('command line', () => {
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

  function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
    const [command, program] = cliCommand();
    const child = spawn(command, [program, ...args], {
      cwd: folder.path,
      env: { PATH: process.env.PATH, HOME: home.path, USERPROFILE: home.path, ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (stdout += part));
    child.stderr.setEncoding('utf8').on('data', (part: string) => (stderr += part));
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, stdout, stderr }));
    });
    return { child, ended };
  }

  function run(args: readonly string[], env?: Readonly<Record<string, string>>, stdin = ''): Promise<Ended> {
    const { child, ended } = start(args, env);
    child.stdin.end(stdin);
    return ended;
  }

  async function sessionEntries(): Promise<{ readonly type: string }[]> {
    const sessions = path.join(home.path, '.open-agent', 'sessions');
    const [file, ...others] = (await readdir(sessions)).filter((name) => name.endsWith('.jsonl'));
    assert.ok(file !== undefined && others.length === 0);
    const text = await readFile(path.join(sessions, file), 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
  }

  it('prints nothing but the answer on standard output, and keeps the session', async () => {
    server.script({ text: 'Two and two is four.' });
    const ended = await run(['-p', 'What is 2 + 2?', '--base-url', server.baseUrl, '--model', 'm']);
    assert.deepEqual(ended, { code: 0, stdout: 'Two and two is four.\n', stderr: hostWarning });
    const { model, messages, temperature, max_tokens } = server.completions[0]!.body;
    assert.deepEqual(
      [model, messages.map(({ role }) => role), temperature, max_tokens],
      ['m', ['system', 'user'], undefined, undefined],
    );
    const types = (await sessionEntries()).map(({ type }) => type);
    assert.deepEqual([types.includes('user_message'), types.includes('assistant_message')], [true, true]);
  });

  it('takes prompt, server, model and key from standard input and the environment', async () => {
    await server.dispose();
    server = await ModelServer.start({ apiKey: 'sk-1', models: ['only-model'] });
    server.script({ text: 'Hi.' });
    const env = { OPEN_AGENT_BASE_URL: server.origin, OPEN_AGENT_API_KEY: 'sk-1' };
    const stderr = `${hostWarning}The model is only-model at ${server.baseUrl}.\n`;
    assert.deepEqual(await run([], env, 'Hello\n'), { code: 0, stdout: 'Hi.\n', stderr });
    const { body, headers } = server.completions[0]!;
    assert.deepEqual([body.model, headers.authorization], ['only-model', 'Bearer sk-1']);
  });

  it('takes a key out of the process list', async () => {
    // Others keep no list of processes that a file shows.
    if (process.platform !== 'linux') return;
    const gate = createGate();
    server.script({ text: ['Hi', gate, '.'] });
    const { child, ended } = start([
      '-p',
      'Hi',
      '--base-url',
      server.baseUrl,
      '--model',
      'm',
      '--api-key',
      'sk-12345678',
    ]);
    await gate.reached;
    assert.equal((await readFile(`/proc/${child.pid}/cmdline`, 'utf8')).replaceAll('\0', ''), 'open-agent');
    gate.open();
    assert.equal((await ended).code, 0);
    assert.equal(server.completions[0]!.headers.authorization, 'Bearer sk-12345678');
  });

  it('checks the server and the model, and ends with 1 for a problem', async () => {
    await server.dispose();
    server = await startDoctorServer({ contextWindow: 4_096, apiKey: 'sk-12345678' });
    const env = { OPEN_AGENT_BASE_URL: server.origin, OPEN_AGENT_API_KEY: 'sk-12345678' };
    const { code, stdout, stderr } = await run(['doctor'], env);
    const lines = stdout.split('\n');
    assert.deepEqual(lines.slice(0, 3), [`Server: llama.cpp at ${server.baseUrl}`, 'Model: test-model', '']);
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

  it('serves the agent with a token it made, and ends with Ctrl+C', async () => {
    server.script({ text: 'Hi.' });
    const flags = ['--base-url', server.baseUrl, '--model', 'm', '--max-response-tokens', '50'];
    const { child, ended } = start(['serve', '--port', '0', ...flags]);
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
    const { choices } = (await answer.json()) as { choices: { message: unknown }[] };
    assert.deepEqual(choices[0]?.message, { role: 'assistant', content: 'Hi.' });
    assert.equal(server.completions[0]?.body.max_tokens, 50);
    const { port } = new URL(baseUrl);
    const second = await run(['serve', '--port', port, ...flags]);
    const taken = `Port ${port} is taken: another program or window listens there.`;
    assert.deepEqual(
      [second.code, second.stderr],
      [1, `${taken} Give another one with --port, or 0 for any that is free.\n`],
    );
    child.kill('SIGINT');
    const { code, stderr } = await ended;
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^Commands of the agent run on this machine.*\n\S+ started: 1 message\.\n\S+ completed after .*: stop, .*\n$/,
    );
    assert.ok(!stderr.includes(token));
  });

  it('ends a check that found no problem with 0, and one that is interrupted with 130', async () => {
    const gate = createGate();
    await server.dispose();
    server = await startDoctorServer();
    assert.equal((await run(['doctor', '--base-url', server.baseUrl])).code, 0);
    await server.dispose();
    server = await startDoctorServer({ replies: { plain: { text: ['1 ', gate, '2'] } } });
    const { child, ended } = start(['doctor', '--base-url', server.baseUrl]);
    await gate.reached;
    child.kill('SIGINT');
    const { code, stdout } = await ended;
    assert.equal(code, 130);
    assert.match(stdout, /\nStopped\. 1 fine\.\n$/);
    gate.open();
  });

  it('runs reading tools in the folder', async () => {
    server.script({ toolCalls: [{ name: 'read_file', arguments: { path: 'a.txt' } }] }, { text: 'It says one.' });
    const ended = await run(['-p', 'Read a.txt', '--base-url', server.baseUrl, '--model', 'm']);
    assert.deepEqual(ended, {
      code: 0,
      stdout: 'It says one.\n',
      stderr: `${hostWarning}> read_file {"path":"a.txt"}\n`,
    });
    assert.match(server.completions[1]!.body.messages.at(-1)!.content ?? '', /one/);
  });

  it('denies what needs a person, tells the model, shows what it was, and ends with 3', async () => {
    const edit = { path: 'a.txt', edits: [{ old_text: 'one', new_text: 'two' }] };
    server.script({ toolCalls: [{ name: 'apply_edit', arguments: edit }] }, { text: 'I would have changed it.' });
    const ended = await run(['-p', 'Change it', '--base-url', server.baseUrl, '--model', 'm']);
    assert.deepEqual([ended.code, ended.stdout], [3, 'I would have changed it.\n']);
    assert.match(ended.stderr, /Edit a\.txt \(\+1 -1\)\n@@.*@@\n-one\n\+two\n/);
    assert.match(server.completions[1]!.body.messages.at(-1)!.content ?? '', /denied.*without a terminal/s);
    assert.equal(await readFile(path.join(folder.path, 'a.txt'), 'utf8'), 'one\n');
  });

  it('says what is wrong with the server and ends with 1', async () => {
    const { baseUrl } = server;
    await server.dispose();
    const ended = await run(['-p', 'Hi', '--base-url', baseUrl, '--model', 'm']);
    assert.deepEqual([ended.code, ended.stdout], [1, '']);
    const tries = ended.stderr.split('\n').flatMap((line) => /Trying again in \d+ s \((.*)\)\.$/.exec(line)?.[1] ?? []);
    assert.deepEqual(tries, ['1 of 3', '2 of 3', '3 of 3']);
    assert.match(ended.stderr, /^Error: Cannot reach http:\/\/127\.0\.0\.1:\d+\/v1/m);
  });

  it('says that the server has no model and ends with 1', async () => {
    await server.dispose();
    server = await ModelServer.start({ models: [] });
    const ended = await run(['-p', 'Hi', '--base-url', server.baseUrl]);
    assert.deepEqual([ended.code, ended.stdout], [1, '']);
    assert.match(ended.stderr, /^Error: .* has no model\./m);
  });

  it('ends with 1 when the answer was cut off', async () => {
    server.script({ text: 'Half an ans', cut: true });
    const ended = await run(['-p', 'Hi', '--base-url', server.baseUrl, '--model', 'm']);
    assert.deepEqual([ended.code, ended.stdout], [1, 'Half an ans\n']);
  });

  it('stops at SIGINT, keeps what there is, and ends with 130', async () => {
    const gate = createGate();
    server.script({ text: ['Once upon ', gate, 'a time'] });
    const { child, ended } = start(['-p', 'Tell', '--base-url', server.baseUrl, '--model', 'm']);
    child.stdin.end();
    const request = await server.completion(1);
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
      const ended = await run(args, {}, stdin);
      assert.deepEqual([ended.code, ended.stdout], [2, '']);
      assert.match(ended.stderr, words);
    });
  }

  it('prints help and version', async () => {
    const { version } = JSON.parse(await readFile(path.join(projectRoot, 'package.json'), 'utf8')) as {
      version: string;
    };
    const [help, printed] = await Promise.all([run(['--help']), run(['--version'])]);
    assert.match(help.stdout, /^Usage: open-agent/);
    assert.deepEqual(printed, { code: 0, stdout: `open-agent ${version}\n`, stderr: '' });
  });

  it('works with a profile and an agent of the settings file', async () => {
    server.script(
      { toolCalls: [{ name: 'write_file', arguments: { path: 'b.txt', content: 'two' } }] },
      { text: 'I would write b.txt.' },
    );
    const settings = {
      baseUrl: 'http://127.0.0.1:9/v1',
      profiles: [{ id: 'gpu', baseUrl: server.baseUrl, model: 'big', topK: 5 }, { id: 'bad' }],
      agents: [{ id: 'planner', profile: 'gpu', permissionMode: 'plan', excludeTools: ['run_terminal_command'] }],
    };
    await mkdir(path.join(home.path, '.open-agent'), { recursive: true });
    await writeFile(path.join(home.path, '.open-agent', 'settings.json'), JSON.stringify(settings));
    const { code, stdout, stderr } = await run(['-p', 'Write b.txt', '--agent', 'planner']);
    assert.deepEqual([code, stdout], [0, 'I would write b.txt.\n']);
    assert.match(stderr, /Warning: Profile "bad": baseUrl: .*; model: /);
    assert.match(stderr, /From here on: agent "planner", profile "gpu" \(big at /);
    assert.match(stderr, /plan mode: edits are refused/);
    const body = server.completions[0]!.body as unknown as Record<string, unknown>;
    assert.deepEqual([body['model'], body['top_k'], (body['tools'] as unknown[]).length], ['big', 5, 5]);
    assert.deepEqual((await run(['-p', 'x', '--profile', 'bad'])).code, 2);
  });

  it('runs a command that only reads without asking, and nothing else where nobody can be asked', async () => {
    const call = (command: string) => ({
      toolCalls: [{ name: 'run_terminal_command', arguments: { command } }],
    });
    server.script(call('cat a.txt'), call('touch p'), call('cat $(touch p)'), call('cat ../x'), { text: 'Done.' });
    await run(['-p', 'Go on', '--base-url', server.baseUrl, '--model', 'm']);
    const results = server.completions.at(-1)!.body.messages.filter(({ role }) => role === 'tool');
    assert.equal(results.length, 4);
    assert.equal(results[0]?.content, 'Exit code 0.\none');
    for (const { content } of results.slice(1)) assert.doesNotMatch(String(content), /Exit code/);
    assert.deepEqual(await readdir(folder.path), ['a.txt']);
  });

  it('keeps git from running programs of the repository or the machine where it runs unasked', async () => {
    const trace = path.join(home.path, 'p');
    const payload = path.join(home.path, 'payload');
    await writeFile(payload, `#!/bin/sh\ntouch ${trace}\n`, { mode: 0o755 });
    await writeFile(path.join(home.path, '.gitconfig'), `[core]\n\tfsmonitor = ${payload}\n`);
    const env = { PATH: process.env.PATH, HOME: home.path };
    const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder.path, env, stdio: 'ignore' });
    git('-c', 'core.fsmonitor=', 'init', '-q');
    await writeFile(path.join(folder.path, '.git/hooks/post-index-change'), `#!/bin/sh\ntouch ${trace}\n`, {
      mode: 0o755,
    });
    const call = { toolCalls: [{ name: 'run_terminal_command', arguments: { command: 'git status -s' } }] };
    const ask = () => run(['-p', 'Look', '--base-url', server.baseUrl, '--model', 'm']);
    server.script(call, { text: 'Looked.' }, call, { text: 'No.' });
    assert.equal((await ask()).code, 0);
    assert.match(String(server.completions[1]!.body.messages.at(-1)?.content), /^Exit code 0\.\n\?\? a\.txt/);
    assert.equal(existsSync(trace), false);
    git('-c', 'core.fsmonitor=', 'config', 'diff.external', payload);
    assert.equal((await ask()).code, 3);
    assert.equal(existsSync(trace), false);
    // The payload is live.
    git('status');
    assert.equal(existsSync(trace), true);
  });

  it('denies a command where nobody can be asked, and ends with the exit code for that', async () => {
    const { input, expected } = safetySample('RU26', z.object({ command: z.string() }));
    server.script(
      { toolCalls: [{ name: 'run_terminal_command', arguments: { command: input.command } }] },
      { text: 'No.' },
    );
    const { code } = await run(['-p', 'Go on', '--base-url', server.baseUrl, '--model', 'm']);
    assert.equal(`deny, exit code ${code}`, expected);
    assert.match(String(server.completions[1]!.body.messages.at(-1)?.content), /Nobody is there to approve it/);
  });
});
