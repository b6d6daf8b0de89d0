import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { main } from '../../../src/cli/main';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { runCli } from '../../support/commandLine/commandLine';
import { ModelServer, type CompletionRequest, type Turn } from '../../support/servers/modelServer';
import { isRunning } from '../../support/commands/processes';
import { Screen } from '../../support/commandLine/screen';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

const command = (text: string, rest: object = {}): Turn => ({
  toolCalls: [{ name: 'run_terminal_command', arguments: { command: text, ...rest } }],
});
const lastOf = ({ body }: CompletionRequest): string => String(body.messages.at(-1)?.content);
const idIn = (text: string): string =>
  /output:[0-9a-f]{8}/.exec(text)?.[0] ?? assert.fail(`There is no id in: ${text}`);

describe('commands of the command line', () => {
  let server: ModelServer;
  let home: TemporaryFolder;
  let folder: TemporaryFolder;

  beforeEach(async () => {
    server = await ModelServer.start();
    home = await createTemporaryFolder();
    folder = await createTemporaryFolder({
      'serve.sh': 'echo $$ > pid\necho listening\nexec sleep 1000\n',
      'write.sh': `echo inside > in.txt\necho outside > '${home.path}/out.txt'\n`,
    });
  });

  afterEach(async () => {
    assert.deepEqual([server.unexpected.length, server.turnsLeft], [0, 0]);
    await server.dispose();
    await home.dispose();
    await folder.dispose();
  });

  const inFolder = (name: string): string => path.join(folder.path, name);
  const run = (...args: readonly string[]) =>
    runCli(['--base-url', server.baseUrl, '--model', 'm', '-p', 'Go', ...args], {
      folder: folder.path,
      home: home.path,
    });

  it('keep what they printed, so that the model reads what was left out', async () => {
    server.script(
      command('seq 1 30000'),
      (request) => ({
        toolCalls: [
          { name: 'read_file', arguments: { path: idIn(lastOf(request)), start_line: 15_000, end_line: 15_001 } },
        ],
      }),
      { text: 'Read.' },
    );
    const { code, stderr } = await run('--allow', 'seq *');
    assert.equal(code, 0, stderr);
    assert.match(lastOf(server.completions[2]!), /\(lines 15000-15001 of 30000\):\n15000\n15001/);
  });

  it('do not go on in the background where nobody is there to ask', async () => {
    server.script(command('sh serve.sh', { background: true }), { text: 'Denied.' });
    const { code } = await run('--allow', 'sh serve.sh');
    assert.equal(code, 3);
    assert.equal(existsSync(inFolder('pid')), false);
  });

  it('write to the folder only, when they are confined; where they cannot be, nowhere', async () => {
    const isPossible = (await createConfinement().findProblem()) === undefined;
    server.script(command('sh write.sh'), { text: 'Written.' });
    const { code, stderr } = await run('--allow', 'sh write.sh', '--confine', 'workspace-no-network');
    assert.equal(code, 0, stderr);
    assert.match(lastOf(server.completions[1]!), isPossible ? /^Exit code 0/ : /^Nothing was run/);
    assert.deepEqual(
      [existsSync(inFolder('in.txt')), existsSync(path.join(home.path, 'out.txt'))],
      [isPossible, false],
    );
  });

  it('are confined as the settings file says, unless a flag says otherwise', async () => {
    await using settings = await createTemporaryFolder({ 's.json': '{"confineCommands": "workspace"}' });
    const file = path.join(settings.path, 's.json');
    server.script(command('sh write.sh'), { text: 'Written.' }, command('sh write.sh'), { text: 'Written.' });
    await run('--allow', 'sh write.sh', '--settings', file);
    assert.equal(existsSync(path.join(home.path, 'out.txt')), false);
    await run('--allow', 'sh write.sh', '--settings', file, '--confine', 'off');
    assert.equal(existsSync(path.join(home.path, 'out.txt')), true);
  });

  it('do not run where they are to be confined and cannot be', async () => {
    server.script(command('sh write.sh'), { text: 'Not run.' });
    const [stdout, stderr] = [new Screen(), new Screen()];
    const code = await start(['-p', 'Go', '--allow', 'sh write.sh', '--confine', 'workspace'], {
      platform: 'darwin',
      stdout,
      stderr,
    });
    assert.equal(code, 0, stderr.text);
    assert.equal(
      lastOf(server.completions[1]!),
      'Nothing was run: commands must be confined, but commands can be confined on Linux only. ' +
        'Or turn --confine, or confineCommands in the settings file, off. Tell the user.',
    );
    assert.equal(existsSync(inFolder('in.txt')), false);
  });

  it('are not run at all by a flag that cannot be understood', async () => {
    const { code, stderr } = await run('--confine', 'yes');
    assert.equal(code, 2);
    assert.match(stderr, /--confine is one of: off, workspace, workspace-no-network; not "yes"\./);
  });

  it('go on in the background after a question, are listed and ended, and end with the conversation', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [new Screen(), new Screen()];
    const exitCode = start([], { stdin, stdout, stderr });
    const prompt = '\u001b[0J> ';
    const say = async (text: string): Promise<string> => {
      stdin.write(`${text}\n`);
      return stripVTControlCharacters(await stderr.shows(prompt)).replaceAll('\r', '');
    };
    await stderr.shows(prompt);
    assert.match(await say('/running'), /Nothing runs in the background\./);
    const serve = async (): Promise<number> => {
      server.script(command('sh serve.sh', { background: true }), { text: 'It runs.' });
      stdin.write('Serve it\n');
      await stderr.shows('say what to do instead: ');
      await say('y');
      assert.match(lastOf(server.completions.at(-1)!), /^Running in the background.*listening/s);
      return Number(await readFile(inFolder('pid'), 'utf8'));
    };
    const pid = await serve();
    const listed = await say('/running');
    assert.match(listed, /^.*output:[0-9a-f]{8} {2}sh serve\.sh\n {4}listening\n/s);
    assert.equal(await isRunning(pid), true);
    const id = idIn(listed);
    assert.match(await say(`/stop ${id}`), new RegExp(`Stopped ${id}\\.`));
    assert.equal(await isRunning(pid), false);
    assert.match(await say('/stop 12345678'), /Nothing runs as output:12345678/);
    const second = await serve();
    assert.equal(await isRunning(second), true);
    stdin.write('/exit\n');
    assert.equal(await exitCode, 0);
    assert.equal(await isRunning(second), false);
  });

  function start(
    args: readonly string[],
    {
      platform = process.platform,
      stdin = Object.assign(new PassThrough(), { isTTY: true }),
      stdout,
      stderr,
    }: {
      readonly platform?: NodeJS.Platform;
      readonly stdin?: PassThrough & { isTTY: boolean };
      readonly stdout: Screen;
      readonly stderr: Screen;
    },
  ): Promise<number> {
    return main({
      argv: ['--base-url', server.baseUrl, '--model', 'm', ...args],
      env: { NO_COLOR: '1' },
      cwd: folder.path,
      homeDirectory: home.path,
      platform,
      stdin,
      stdout,
      stderr,
      signal: new AbortController().signal,
      exit: () => assert.fail('nothing ends the process'),
    });
  }
});
