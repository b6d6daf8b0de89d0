import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import type { CommandOutcome, Confinement } from '../../../src/workspace/ports';
import { isRunning } from '../../support/commands/processes';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/**
 * Uses the bubblewrap of this machine. Tests are skipped where it does not work. With OPEN_AGENT_REQUIRE_CONFINEMENT=1 the
 * first test fails there.
 */
describe('a confined command', () => {
  let world: TemporaryFolder;
  let work: string;
  let home: string;
  let problem: string | undefined;

  before(async () => {
    problem = await createConfinement().findProblem();
  });

  beforeEach(async () => {
    world = await createTemporaryFolder({
      'work/a.txt': 'a\n',
      'home/.ssh/id_ed25519': 'secret key\n',
      'home/.netrc': 'secret password\n',
      'home/notes.txt': 'notes\n',
    });
    work = path.join(world.path, 'work');
    home = path.join(world.path, 'home');
    execFileSync('git', ['init', '-q', work]);
  });
  afterEach(() => world.dispose());

  function run(
    command: string,
    confinement: Partial<Confinement> = {},
    signal = new AbortController().signal,
  ): Promise<CommandOutcome> {
    const runner = createNodeCommandRunner({
      confinement: createConfinement({ home }),
      environment: { ...process.env, GITHUB_TOKEN: 'secret token', SSH_AUTH_SOCK: '/tmp/agent', DISPLAY: ':0' },
    });
    return runner.run(
      {
        command,
        cwd: work,
        timeoutMs: 20_000,
        confinement: { allowsNetwork: false, writable: [work], ...confinement },
      },
      { signal, onOutput: () => {} },
    );
  }

  const confined = (name: string, check: () => Promise<void>): void =>
    void it(name, async function () {
      if (problem !== undefined) this.skip();
      await check();
    });

  it('runs here exactly if bubblewrap works here', async () => {
    if (process.env['OPEN_AGENT_REQUIRE_CONFINEMENT'] === '1') assert.equal(problem, undefined);
    const outcome = await run('touch ran.txt');
    const isPossible = problem === undefined;
    assert.equal(outcome.ended, isPossible ? 'exited' : 'failed_to_start', outcome.output);
    assert.equal(existsSync(path.join(work, 'ran.txt')), isPossible);
  });

  confined('writes only to the workspace and to its own temporary folders', async () => {
    const outside = path.join(world.path, 'outside.txt');
    const inTemporary = path.join('/tmp', `confined-${process.pid}`);
    const { output } = await run(
      `echo b > b.txt; echo t > ${inTemporary} && echo temporary; echo o > ${outside}; echo h > ${home}/.bashrc; echo e > /etc/confined; true`,
    );
    assert.match(output, /^temporary$/m);
    assert.equal(await readFile(path.join(work, 'b.txt'), 'utf8'), 'b\n');
    for (const file of [outside, inTemporary, path.join(home, '.bashrc'), '/etc/confined']) {
      assert.equal(existsSync(file), false, file);
    }
  });

  confined('cannot change what git runs later, not even by replacing the folder', async () => {
    await mkdir(path.join(work, '.git/hooks'), { recursive: true });
    const config = await readFile(path.join(work, '.git/config'), 'utf8');
    const { output } = await run(
      'echo evil > .git/hooks/pre-commit; git config core.fsmonitor evil; mv .git old; rm -rf .git/hooks; echo tried; echo x > c.txt; git status --short',
    );
    assert.match(output, /tried/);
    assert.match(output, /^\?\? c\.txt$/m, 'git itself can read');
    assert.equal(existsSync(path.join(work, '.git/hooks/pre-commit')), false);
    assert.equal(await readFile(path.join(work, '.git/config'), 'utf8'), config);
  });

  confined('sees neither keys nor tokens', async () => {
    const runAt = await run(
      `cat ${home}/.ssh/id_ed25519 ${home}/.netrc; ls -A ${home}/.ssh; echo "[$GITHUB_TOKEN$SSH_AUTH_SOCK$DISPLAY]"; true`,
      { writable: [work] },
    );
    // The home folder of this test is below /tmp, which is hidden completely. Real home folders are not.
    assert.doesNotMatch(runAt.output, /secret/);
    assert.match(runAt.output, /^\[\]$/m);
    const inWorkspace = await run(`cat ${home}/notes.txt ${home}/.ssh/id_ed25519 ${home}/.netrc; true`, {
      writable: [work, home],
    });
    assert.match(inWorkspace.output, /notes/);
    assert.doesNotMatch(inWorkspace.output, /secret/);
  });

  confined('reaches the network only if that is allowed', async () => {
    const requests: string[] = [];
    const server = createServer((request, response) => {
      requests.push(request.url ?? '');
      response.end('answer');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      const fetches = (page: string): string =>
        `node -e 'fetch("http://127.0.0.1:${port}/${page}").then(() => console.log("reached"), () => console.log("not reached"))'`;
      assert.equal((await run(fetches('closed'))).output, 'not reached\n');
      assert.equal((await run(fetches('open'), { allowsNetwork: true })).output, 'reached\n');
      assert.deepEqual(requests, ['/open']);
    } finally {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  });

  confined('cannot undo its confinement or signal others', async () => {
    const { output } = await run(
      `mount -o remount,rw / && echo remounted; kill -0 ${process.pid} && echo signalled; echo x > /etc/confined && echo written; echo end`,
    );
    assert.match(output, /^end$/m);
    assert.doesNotMatch(output, /remounted|signalled|written/);
  });

  confined('ends completely, including processes that left its group', async () => {
    execFileSync('mkfifo', [path.join(work, 'started')]);
    const controller = new AbortController();
    const runner = createNodeCommandRunner({ confinement: createConfinement({ home }) });
    let seen: readonly number[] = [];
    const outcome = await runner.run(
      {
        command: `setsid env -i sh -c 'echo up > started; exec sleep 1000.${process.pid}' & cat started; wait`,
        cwd: work,
        timeoutMs: 20_000,
        confinement: { allowsNetwork: false, writable: [work] },
      },
      {
        signal: controller.signal,
        onOutput: () => {
          seen = sleepers();
          controller.abort();
        },
      },
    );
    assert.equal(outcome.ended, 'stopped');
    for (const pid of seen) assert.equal(await isRunning(pid), false);
    assert.deepEqual(sleepers(), []);
  });

  function sleepers(): readonly number[] {
    try {
      return execFileSync('pgrep', ['-f', `sleep 1000.${process.pid}`], { encoding: 'utf8' })
        .trim()
        .split('\n')
        .map(Number);
    } catch {
      // pgrep fails when there is none.
      return [];
    }
  }

  it('does not run if bubblewrap is missing or does not work, or on another system', async () => {
    const broken = path.join(world.path, 'bwrap');
    await writeFile(broken, '#!/bin/sh\necho "bwrap: No permissions to create new namespace" >&2; exit 1\n');
    await chmod(broken, 0o755);
    for (const [options, expected] of [
      [{ program: undefined }, /bubblewrap is not installed .*sudo apt install bubblewrap/],
      [{ program: broken }, /does not work here: bwrap: No permissions to create new namespace/],
      [{ platform: 'darwin' }, /on Linux only/],
    ] as const) {
      const outcome = await createNodeCommandRunner({ confinement: createConfinement(options) }).run(
        {
          command: 'touch ran.txt',
          cwd: work,
          timeoutMs: 60_000,
          confinement: { allowsNetwork: true, writable: [work] },
        },
        { signal: new AbortController().signal, onOutput: () => {} },
      );
      assert.equal(outcome.ended, 'failed_to_start');
      assert.match(outcome.output, /^Commands must be confined, but /);
      assert.match(outcome.output, expected);
      assert.match(outcome.output, /openAgent\.confineCommands/);
      assert.equal(existsSync(path.join(work, 'ran.txt')), false);
    }
    const none = await createNodeCommandRunner().run(
      {
        command: 'touch ran.txt',
        cwd: work,
        timeoutMs: 60_000,
        confinement: { allowsNetwork: true, writable: [work] },
      },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
    assert.equal(none.ended, 'failed_to_start');
  });
});
