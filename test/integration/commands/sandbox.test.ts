import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import type { CommandOutcome, Confinement } from '../../../src/workspace/ports';
import { createTemporaryFolder, type TemporaryFolder } from '../../support/files/temporaryFolder';

/** Uses the bubblewrap of this machine; `confinement.test.ts` fails where it must work and does not. */
describe('a sandboxed command', () => {
  let world: TemporaryFolder;
  let work: string;
  let home: string;
  /** Unique: a copy of this file may be where commands may read. */
  const canary = `CANARY-${randomUUID()}`;

  before(async function () {
    if ((await createConfinement().findProblem()) !== undefined) this.skip();
  });

  beforeEach(async () => {
    world = await createTemporaryFolder({
      'home/notes.txt': `${canary} of home\n`,
      'home/.ssh/id_ed25519': `${canary} of a key\n`,
      'home/tools/bin/mytool': '#!/bin/sh\necho tool runs\n',
      'home/tools/bin/.env': `${canary} of a tool\n`,
      'outside/secret.txt': `${canary} of outside\n`,
      'home/work/a.txt': 'a\n',
      'home/work/.env': `${canary} of env\n`,
      'home/work/sub/.env.local': `${canary} of env\n`,
      'home/work/certs/server.key': `${canary} of certs\n`,
      'home/work/node_modules/p/index.js': 'module.exports = 1;\n',
      'home/work/node_modules/p/.env': `${canary} of a package\n`,
      'home/work/package.json': '{"name":"w"}\n',
      'home/work/.github/workflows/ci.yml': 'on: push\n',
    });
    home = path.join(world.path, 'home');
    work = path.join(home, 'work');
    execFileSync('chmod', ['+x', path.join(home, 'tools/bin/mytool')]);
    execFileSync('git', ['init', '-q', work]);
    await link(path.join(work, '.env'), path.join(work, 'hard.txt'));
    await link(path.join(work, 'package.json'), path.join(work, 'alias.json'));
    await symlink('.env', path.join(work, 'soft.txt'));
    await symlink('../../outside/secret.txt', path.join(work, 'out.txt'));
  });
  afterEach(() => world.dispose());

  const confinement = () =>
    createConfinement({ home, searchPath: `${path.join(home, 'tools/bin')}:${process.env['PATH']}` });
  const sandbox = (): Confinement => ({ allowsNetwork: false, writable: [work], isSandbox: true });

  function run(command: string): Promise<CommandOutcome> {
    const PATH = `${path.join(home, 'tools/bin')}:${process.env['PATH']}`;
    const runner = createNodeCommandRunner({
      confinement: confinement(),
      environment: { ...process.env, PATH, HOME: home, GITHUB_TOKEN: `${canary} of a token` },
    });
    const request = { command, cwd: work, timeoutMs: 20_000, confinement: sandbox() };
    return runner.run(request, { signal: new AbortController().signal, onOutput: () => {} });
  }

  async function output(command: string): Promise<string> {
    return (await run(command)).output;
  }

  it('reads and writes the workspace, and starts programs of PATH', async () => {
    assert.equal(await findProblem(), undefined);
    const command =
      'cat a.txt; echo b > b.txt; mkdir -p dist; echo c > dist/c.js; mytool; node -p 1+1; git status -s a.txt';
    assert.equal(await output(command), 'a\ntool runs\n2\n?? a.txt\n');
    assert.equal(await readFile(path.join(work, 'b.txt'), 'utf8'), 'b\n');
    assert.equal(await readFile(path.join(work, 'dist/c.js'), 'utf8'), 'c\n');
  });

  const findProblem = (): Promise<string | undefined> =>
    confinement().findSandboxProblem?.(sandbox(), work) ?? Promise.resolve('there is no sandbox');

  it('sees nothing of the home folder, of outside and of files with secrets, by any name', async () => {
    const everything = await output(
      'cat .env sub/.env.local certs/* node_modules/p/.env hard.txt soft.txt out.txt ~/notes.txt ~/.ssh/* ~/tools/bin/.env ' +
        `../notes.txt '${world.path}/outside/secret.txt' /etc/shadow 2>/dev/null; ls -aR ~ '${world.path}' /home /root /mnt /work 2>/dev/null; ` +
        `env; grep -rs ${canary} . /etc /home /opt /root /run /tmp /var; ` +
        'cat /proc/*/environ /proc/*/root/etc/shadow /proc/1/root/home/notes.txt 2>/dev/null; true',
    );
    // The words of the command itself are in the list of processes.
    const secrets = everything.split('\n').filter((line) => line.includes(`${canary} of`));
    assert.deepEqual(secrets, []);
    assert.equal(everything.includes('id_ed25519'), false);
    assert.equal(everything.includes('secret.txt'), false);
    assert.equal(/^root:/m.test(everything), false);
  });

  const CHANGES: readonly (readonly [name: string, command: string])[] = [
    ['package.json', 'echo x > package.json'],
    ['package.json', 'rm -f package.json; mv a.txt package.json'],
    ['package.json', 'echo x >> alias.json'],
    ['.github/workflows/ci.yml', 'echo x > .github/workflows/ci.yml'],
    ['.github/workflows/new.yml', 'echo x > .github/workflows/new.yml'],
    ['.env', 'echo x > .env; echo x > hard.txt; rm -f .env'],
    ['.git/hooks/post-checkout', 'mkdir -p .git/hooks; echo x > .git/hooks/post-checkout'],
    ['.git/config', 'git config core.pager evil; echo x >> .git/config'],
    ['eslint.config.js', 'echo x > eslint.config.js'],
    ['sub/package.json', 'echo x > sub/package.json; sleep 0.2'],
    ['node_modules/p/index.js', 'echo x > node_modules/p/index.js; rm -rf node_modules; mv node_modules gone; true'],
    ['.vscode/settings.json', 'mkdir .vscode && echo x > .vscode/settings.json'],
    ['../notes.txt', 'echo x > ../notes.txt'],
    ['../../outside/secret.txt', 'echo x > out.txt; echo x > ../../outside/secret.txt'],
    ['../.bashrc', 'echo x > ~/.bashrc'],
  ];
  for (const [name, command] of CHANGES) {
    it(`does not change ${name}: ${command}`, async () => {
      const file = path.join(work, name);
      const before = existsSync(file) ? await readFile(file, 'utf8') : undefined;
      await run(command);
      assert.equal(existsSync(file) ? await readFile(file, 'utf8') : undefined, before);
    });
  }

  it('reaches no network, not even this machine', async () => {
    const server = createServer((socket) => socket.end(`${canary}\n`));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      assert.equal((await output(`exec 3<>/dev/tcp/127.0.0.1/${port} && cat <&3`)).includes(canary), false);
    } finally {
      server.close();
    }
  });

  it('does not start beside a socket in the workspace, nor where the workspace is the home folder', async () => {
    const socket = path.join(work, 'service.sock');
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(socket, resolve));
    try {
      assert.match((await findProblem()) ?? '', /service\.sock/);
      assert.equal((await run('touch ran')).ended, 'failed_to_start');
      assert.equal(existsSync(path.join(work, 'ran')), false);
    } finally {
      server.close();
    }
    const open: Confinement = { allowsNetwork: false, writable: [home], isSandbox: true };
    assert.match((await confinement().findSandboxProblem?.(open, home)) ?? '', /contains your home folder/);
    const missing = createConfinement({ home, program: undefined });
    assert.match((await missing.findSandboxProblem?.(sandbox(), work)) ?? '', /bubblewrap is not installed/);
  });

  it('can do no more after it made folders, links and names of its own', async () => {
    await mkdir(path.join(work, 'again'));
    const first =
      'ln -s ~/notes.txt again/a; ln .env again/b; ln -s /proc/1/root/etc/shadow again/c; mv sub moved; cp -r certs again/certs; ' +
      'mkdir -p d && mv d .env.d; mount --bind / again 2>/dev/null; unshare -Urm sh -c "umount .env; cat .env" 2>/dev/null; true';
    await run(first);
    const second = await output('cat again/* again/certs/* moved/.env.local .env hard.txt 2>/dev/null; true');
    assert.equal(second.includes(canary) || second.includes('root:'), false, second);
    await writeFile(path.join(work, '.env'), `${canary} of env\n`);
    assert.equal((await output('cat .env moved/.env.local')).includes(canary), false);
  });
});
