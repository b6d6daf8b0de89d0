import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CommandOutcome } from '../../../../../src/workspace/ports';
import { createNodeCommandRunner } from '../../../../../src/workspace/node/commands/nodeCommandRunner';
import { commandEnvironment } from '../../../../../src/workspace/node/commands/commandEnvironment';
import { findShell } from '../../../../../src/workspace/node/commands/shell';
import { isRunning } from '../../../../support/commands/processes';
import { proving } from '../../../../support/safetySample';
import { createTemporaryFolder, type TemporaryFolder } from '../../../../support/files/temporaryFolder';

describe('createNodeCommandRunner', () => {
  const runner = createNodeCommandRunner({ maxHead: 100, maxTail: 100 });
  let folder: TemporaryFolder;
  let streamed: string;

  beforeEach(async () => {
    folder = await createTemporaryFolder();
    streamed = '';
  });
  afterEach(() => folder.dispose());

  interface RunOptions {
    readonly timeoutMs?: number;
    readonly cwd?: string;
    /** Aborts as soon as this has been printed. */
    readonly stopAt?: string;
  }

  function run(
    command: string,
    { timeoutMs = 10_000, cwd = folder.path, stopAt }: RunOptions = {},
  ): Promise<CommandOutcome> {
    const controller = new AbortController();
    const onOutput = (text: string): void => {
      streamed += text;
      if (stopAt !== undefined && streamed.includes(stopAt)) controller.abort();
    };
    return runner.run({ command, cwd, timeoutMs }, { signal: controller.signal, onOutput });
  }

  it('returns both outputs in the order they were written', async () => {
    const { output } = await run('for i in 1 2 3 4 5; do echo out $i; echo err $i >&2; done');
    assert.equal(output, [1, 2, 3, 4, 5].map((i) => `out ${i}\nerr ${i}\n`).join(''));
  });

  it('returns exit code and output, and streams the output', async () => {
    const printed = `out\nerr\n${findShell().file} 0\n`;
    assert.deepEqual(await run('echo out; echo err >&2; echo "$0" $#; exit 3'), {
      exitCode: 3,
      signalName: null,
      ended: 'exited',
      output: printed,
      omittedBytes: 0,
    });
    assert.equal(streamed, printed);
  });

  it('runs in the given folder, with closed input', async () => {
    const cwd = path.join(folder.path, 'sub dir');
    await mkdir(cwd);
    const { output } = await run('pwd; cat; echo end', { cwd });
    assert.equal(output, `${cwd}\nend\n`);
  });

  it('decodes characters that are split between chunks', async () => {
    const { output } = await run(`printf '\\xc3'; sleep 0.05; printf '\\xbc\\n'`);
    assert.equal(output, 'ü\n');
  });

  it('keeps head and tail of a huge output', async () => {
    const { output, omittedBytes, exitCode } = await run('echo first; yes | head -c 5000000; echo last');
    assert.equal(exitCode, 0);
    assert.ok(output.startsWith('first\ny\n'));
    assert.ok(output.endsWith('y\nlast\n'));
    assert.equal(omittedBytes, 6 + 5_000_000 + 5 - 200);
    assert.ok(output.includes(`[… ${omittedBytes} bytes left out …]`));
  });

  it('ends a command and its processes at the time limit', async () => {
    const outcome = await run('sleep 1000 & echo $!; wait', { timeoutMs: 2_000 });
    assert.equal(outcome.ended, 'timed_out');
    assert.equal(await isRunning(Number(outcome.output.trim())), false);
  });

  it('stops a command and its processes', async () => {
    const outcome = await run('sleep 1000 & echo pid $!; echo started; wait', { stopAt: 'started' });
    assert.equal(outcome.ended, 'stopped');
    assert.equal(await isRunning(Number(/pid (\d+)/.exec(outcome.output)?.[1])), false);
  });

  it('kills a command that ignores TERM', async () => {
    const outcome = await run(`trap '' TERM; echo started; while true; do sleep 0.1; done`, { stopAt: 'started' });
    assert.deepEqual(
      { ended: outcome.ended, signalName: outcome.signalName },
      { ended: 'stopped', signalName: 'SIGKILL' },
    );
  });

  it(proving('PR04', 'ends a background process that holds the output open'), async () => {
    const outcome = await run('sleep 1000 & echo $!');
    assert.equal(outcome.ended, 'exited');
    assert.equal(outcome.exitCode, 0);
    assert.equal(outcome.endedBackground, true);
    assert.equal(await isRunning(Number(outcome.output.trim())), false);
  });

  it('starts nothing if it is already stopped', async () => {
    const outcome = await runner.run(
      { command: 'echo no', cwd: folder.path, timeoutMs: 1000 },
      { signal: AbortSignal.abort(), onOutput: () => assert.fail('nothing should run') },
    );
    assert.equal(outcome.ended, 'stopped');
  });

  it('reports a bad folder or shell', async () => {
    const noFolder = await run('echo no', { cwd: path.join(folder.path, 'missing') });
    assert.equal(noFolder.ended, 'failed_to_start');
    assert.match(noFolder.output, /missing cannot be used/);

    const shell = { ...findShell(), file: path.join(folder.path, 'no-such-shell') };
    const noShell = await createNodeCommandRunner({ shell }).run(
      { command: 'echo no', cwd: folder.path, timeoutMs: 1000 },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(noShell.ended, 'failed_to_start');
    assert.match(noShell.output, /no-such-shell cannot be started/);
  });

  it('removes variables that change the meaning of commands', async () => {
    const environment = {
      PATH: process.env.PATH,
      BASH_ENV: path.join(folder.path, 'evil'),
      'BASH_FUNC_ls%%': '() { echo redefined; }',
      SHELLOPTS: 'noglob:xtrace:posix',
      BASHOPTS: 'extglob:failglob:xpg_echo',
      CDPATH: '/',
      GLOBIGNORE: '*',
      IFS: 'l',
      PS4: '$(echo evil)',
      POSIXLY_CORRECT: '1',
    };
    await writeFile(path.join(folder.path, 'evil'), 'echo evil\n');
    const own = createNodeCommandRunner({ environment });
    const outcome = await own.run(
      { command: "ls; echo 'a\\tb'", cwd: folder.path, timeoutMs: 10_000, environment: { ADDED: '1' } },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(outcome.output, 'evil\na\\tb\n');
  });

  it('hides secrets, names those that are mentioned, and passes on what the person lists', async () => {
    const secrets = { NPM_TOKEN: 'hunter2', DATABASE_URL: 'postgres://ada:hunter2@db/app', OTHER_TOKEN: 'hunter2' };
    let passed: readonly string[] = [];
    const own = createNodeCommandRunner({
      environment: { ...process.env, ...secrets },
      passedVariables: () => passed,
    });
    const run = (command: string) =>
      own.run(
        { command, cwd: folder.path, timeoutMs: 10_000 },
        { signal: new AbortController().signal, onOutput: () => {} },
      );
    const hidden = await run('env | grep -c hunter2; echo "[$NPM_TOKEN]"; echo DATABASE_URL is missing');
    assert.equal(hidden.output, '0\n[]\nDATABASE_URL is missing\n');
    assert.deepEqual(hidden.withheld, ['NPM_TOKEN', 'DATABASE_URL']);
    passed = ['NPM_*'];
    const shown = await run('echo "[$NPM_TOKEN$OTHER_TOKEN]"');
    assert.equal(shown.output, '[hunter2]\n');
    assert.deepEqual(shown.withheld, ['OTHER_TOKEN']);
    assert.equal((await run('true')).withheld, undefined);
  });

  it('passes the variables of the plan to the command', async () => {
    const outcome = await runner.run(
      { command: 'echo "$ADDED"', cwd: folder.path, timeoutMs: 10_000, environment: { ADDED: 'yes' } },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(outcome.output, 'yes\n');
  });

  it('uses an encoding in which no part of a letter is a quote', () => {
    const locale = (LANG: string): unknown => commandEnvironment({ LANG })['LC_ALL'];
    assert.deepEqual(['ja_JP.SJIS', 'zh_CN.GB18030', 'en_US.UTF-8', 'de_DE.utf8@euro', 'C', ''].map(locale), [
      'C.UTF-8',
      'C.UTF-8',
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('reads no start-up files, turns off colours and pagers, and hides our key', () => {
    const environment = commandEnvironment({
      PATH: '/bin',
      BASH_ENV: '/evil',
      GIT_DIR: '/evil',
      ELECTRON_RUN_AS_NODE: '1',
      VSCODE_PID: '1',
      OPEN_AGENT_API_KEY: 'sk-mine',
    });
    assert.deepEqual(environment, {
      PATH: '/bin',
      TERM: 'dumb',
      NO_COLOR: '1',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      GIT_TERMINAL_PROMPT: '0',
      SSH_ASKPASS: '',
      SSH_ASKPASS_REQUIRE: 'never',
      DEBIAN_FRONTEND: 'noninteractive',
      PIP_NO_INPUT: '1',
    });
    assert.deepEqual(findShell('win32').args('dir'), ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', 'dir']);
  });
});
