import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { PROMPT } from '../../support/commandLine/startHere';
import { useCommandLine } from '../../support/commandLine/useCommandLine';
import type { CompletionRequest, Turn } from '../../support/servers/modelServer';
import { createTemporaryFolder } from '../../support/files/temporaryFolder';
import { isRunning } from '../../support/commands/processes';

const command = (text: string, rest: object = {}): Turn => ({
  toolCalls: [{ name: 'run_terminal_command', arguments: { command: text, ...rest } }],
});
const lastOf = ({ body }: CompletionRequest): string => String(body.messages.at(-1)?.content);
const idIn = (text: string): string =>
  /output:[0-9a-f]{8}/.exec(text)?.[0] ?? assert.fail(`There is no id in: ${text}`);

describe('commands of the command line', () => {
  const cli = useCommandLine({
    files: (home) => ({
      'serve.sh': 'echo $$ > pid\necho listening\nexec sleep 1000\n',
      'package.json': '{"scripts": {"test": "node check.js"}}\n',
      'check.js': "console.log(require('./answer.js'));\n",
      'answer.js': 'module.exports = 1;\n',
      'env.sh': 'env | grep mark-\n',
      'write.sh': `echo inside > in.txt\necho outside > '${home}/out.txt'\n`,
    }),
  });

  afterEach(() => {
    assert.deepEqual([cli.server.unexpected.length, cli.server.turnsLeft], [0, 0]);
  });

  const inFolder = (name: string): string => path.join(cli.folder, name);
  const run = (...args: readonly string[]) => cli.run([...cli.flags, '-p', 'Go', ...args]);

  it('keep their whole output, so the model can read the omitted part', async () => {
    cli.server.script(
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
    assert.match(lastOf(cli.server.completions[2]!), /\(lines 15000-15001 of 30000\):\n15000\n15001/);
  });

  it('do not run in the background if nobody can be asked', async () => {
    cli.server.script(command('sh serve.sh', { background: true }), { text: 'Denied.' });
    const { code } = await run('--allow', 'sh serve.sh');
    assert.equal(code, 3);
    assert.equal(existsSync(inFolder('pid')), false);
  });

  for (const confine of ['off', 'workspace']) {
    it(`get no secrets, except those of --pass-env and the settings file (--confine ${confine})`, async function () {
      if (confine !== 'off' && (await createConfinement().findProblem()) !== undefined) this.skip();
      await using settings = await createTemporaryFolder({ 's.json': '{"commandEnvironment": ["FROM_FILE_*"]}' });
      const env = { PLAIN_TOKEN: 'mark-1', FROM_FILE_TOKEN: 'mark-2', FROM_FLAG_TOKEN: 'mark-3' };
      const settingsFlags = ['--settings', path.join(settings.path, 's.json'), '--pass-env', 'FROM_FLAG_TOKEN'];
      cli.server.script(command('sh env.sh'), { text: 'Seen.' });
      const flags = [...cli.flags, '-p', 'Go', '--allow', 'sh env.sh', '--confine', confine, ...settingsFlags];
      const { code, stderr } = await cli.run(flags, { env });
      assert.equal(code, 0, stderr);
      const content = lastOf(cli.server.completions.at(-1)!);
      assert.deepEqual(content.match(/mark-\d/g)?.toSorted(), ['mark-2', 'mark-3'], content);
    });
  }

  describe('after an edit that nobody has seen', () => {
    const edit: Turn = {
      toolCalls: [
        { name: 'apply_edit', arguments: { path: 'answer.js', old_text: '= 1;', new_text: "= 'it is ' + 42;" } },
      ],
    };
    const editThenTest = (...args: readonly string[]) => {
      cli.server.script(edit, command('npm test'), { text: 'Tested.' });
      return run('--permission-mode', 'acceptEdits', '--allow', 'npm test', ...args);
    };

    it('are denied with both ways out', async () => {
      const { code, stderr } = await editThenTest();
      assert.equal(code, 3);
      for (const told of [stderr, lastOf(cli.server.completions[2]!)]) {
        assert.match(told, /--confine workspace/);
        assert.match(told, /--allow-unseen it runs unconfined/);
      }
      assert.doesNotMatch(lastOf(cli.server.completions[2]!), /it is 42/);
    });

    it('run with --confine', async function () {
      if ((await createConfinement().findProblem()) !== undefined) this.skip();
      const { code, stderr } = await editThenTest('--confine', 'workspace');
      assert.equal(code, 0, stderr);
      assert.match(lastOf(cli.server.completions[2]!), /it is 42/);
    });

    it('run with --allow-unseen, and only those that a rule allows', async () => {
      const { code, stderr } = await editThenTest('--allow-unseen');
      assert.equal(code, 0, stderr);
      assert.match(lastOf(cli.server.completions[2]!), /it is 42/);
      cli.server.script(edit, command('npm run other'), { text: 'Denied.' });
      const other = await run('--permission-mode', 'acceptEdits', '--allow', 'npm test', '--allow-unseen');
      assert.equal(other.code, 3);
      assert.doesNotMatch(other.stderr, /--confine workspace/);
    });
  });

  it('write only to the folder if they are confined', async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
    cli.server.script(command('sh write.sh'), { text: 'Written.' });
    const { code, stderr } = await run('--allow', 'sh write.sh', '--confine', 'workspace-no-network');
    assert.equal(code, 0, stderr);
    assert.match(lastOf(cli.server.completions[1]!), /^Exit code 0/);
    assert.deepEqual([existsSync(inFolder('in.txt')), existsSync(path.join(cli.home, 'out.txt'))], [true, false]);
  });

  it('are confined as the settings file says, unless a flag overrides it', async () => {
    await using settings = await createTemporaryFolder({ 's.json': '{"confineCommands": "workspace"}' });
    const file = path.join(settings.path, 's.json');
    cli.server.script(command('sh write.sh'), { text: 'Written.' }, command('sh write.sh'), { text: 'Written.' });
    await run('--allow', 'sh write.sh', '--settings', file);
    assert.equal(existsSync(path.join(cli.home, 'out.txt')), false);
    await run('--allow', 'sh write.sh', '--settings', file, '--confine', 'off');
    assert.equal(existsSync(path.join(cli.home, 'out.txt')), true);
  });

  it('do not run if they must be confined and cannot be', async () => {
    cli.server.script(command('sh write.sh'), { text: 'Not run.' });
    const args = [...cli.flags, '-p', 'Go', '--allow', 'sh write.sh', '--confine', 'workspace'];
    const { exitCode, stderr } = cli.startHere(args, { platform: 'darwin' });
    assert.equal(await exitCode, 0, stderr.text);
    assert.equal(
      lastOf(cli.server.completions[1]!),
      'Nothing was run: commands must be confined, but commands can be confined on Linux only. ' +
        'Or turn --confine, or confineCommands in the settings file, off. Tell the user.',
    );
    assert.equal(existsSync(inFolder('in.txt')), false);
  });

  it('do not run with an invalid flag', async () => {
    const { code, stderr } = await run('--confine', 'yes');
    assert.equal(code, 2);
    assert.match(stderr, /--confine is one of: off, workspace, workspace-no-network; not "yes"\./);
  });

  it('run in the background after a question, are listed and ended, and end with the conversation', async () => {
    const { exitCode, stderr, say, type } = cli.startHere(cli.flags, { platform: process.platform });
    await stderr.shows(PROMPT);
    assert.match(await say('/running'), /Nothing runs in the background\./);
    const serve = async (): Promise<number> => {
      cli.server.script(command('sh serve.sh', { background: true }), { text: 'It runs.' });
      await say('Serve it', 'say what to do instead: ');
      await say('y');
      assert.match(lastOf(cli.server.completions.at(-1)!), /^Running in the background.*listening/s);
      return Number(await readFile(inFolder('pid'), 'utf8'));
    };
    const pid = await serve();
    const listed = await say('/running');
    assert.match(listed, /^.*output:[0-9a-f]{8} {2}sh serve\.sh\n {4}listening\n/s);
    assert.equal(await isRunning(pid), true);
    const id = idIn(listed);
    assert.match(await say(`/stop ${id}`), new RegExp(`Stopped ${id}\\.`));
    assert.equal(await isRunning(pid), false);
    assert.match(await say('/stop 12345678'), /There is no background command output:12345678/);
    const second = await serve();
    assert.equal(await isRunning(second), true);
    type('/exit\n');
    assert.equal(await exitCode, 0);
    assert.equal(await isRunning(second), false);
  });
});
