import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '../../../scripts/projectRoot';
import { createConfinement } from '../../../src/workspace/node/confinement/confinement';
import { createNodeCommandRunner } from '../../../src/workspace/node/commands/nodeCommandRunner';
import { isInside } from '../../../src/workspace/paths/roots';
import type { CommandOutcome } from '../../../src/workspace/ports';

/** What a confined command reaches outside its files, with real bubblewrap. Skipped where commands cannot be confined. */
describe('services, keys and processes, for a confined command', () => {
  /** Not below `/tmp`, which is hidden completely. */
  const base = [homedir(), projectRoot].find((folder) => !isInside(folder, '/tmp'));
  let outside: string;
  let home: string;
  let work: string;
  const servers: Server[] = [];

  before(async function () {
    if (base === undefined || (await createConfinement().findProblem()) !== undefined) this.skip();
  });

  beforeEach(async () => {
    const cache = path.join(base ?? assert.fail(), base === projectRoot ? 'node_modules/.cache' : '.cache');
    await mkdir(cache, { recursive: true });
    outside = await mkdtemp(path.join(cache, 'open-agent-test-'));
    home = path.join(outside, 'home');
    work = path.join(home, 'work');
    await mkdir(work, { recursive: true });
    await writeFile(path.join(home, 'notes.txt'), 'notes\n');
    await symlink('notes.txt', path.join(home, 'link.txt'));
  });
  afterEach(async () => {
    for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
    await rm(outside, { recursive: true, force: true });
  });

  function run(command: string, { allowsNetwork = false, environment = {} } = {}): Promise<CommandOutcome> {
    const confinement = createConfinement({ home, setAsideFolder: path.join(outside, 'aside') });
    return createNodeCommandRunner({ confinement, environment: { ...process.env, ...environment } }).run(
      { command, cwd: work, timeoutMs: 60_000, confinement: { allowsNetwork, writable: [work] } },
      { signal: new AbortController().signal, onOutput: () => {} },
    );
  }

  /** Starts a service on a socket. False: this user may not create it. */
  function listen(socket: string): Promise<boolean> {
    const server = createServer((connection) => connection.end('reached'));
    return new Promise((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(socket, () => {
        servers.push(server);
        resolve(true);
      });
    });
  }

  /** Which of the sockets a confined command reaches. */
  async function reachable(sockets: readonly string[], allowsNetwork = false): Promise<readonly string[]> {
    await writeFile(
      path.join(work, 'connect.cjs'),
      `for (const socket of ${JSON.stringify(sockets)}) {
        const connection = require('node:net').connect(socket);
        connection.on('data', () => console.log(JSON.stringify(socket))).on('error', () => {});
      }`,
    );
    const { output, exitCode } = await run('node connect.cjs', { allowsNetwork });
    assert.equal(exitCode, 0, output);
    return output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => String(JSON.parse(line)));
  }

  const places = (): readonly string[] => [
    // As in a home folder: agents of keys, containers, editors, multiplexers.
    ...[
      '.ssh/agent.1',
      '.ssh/control-a@b:22',
      '.gnupg/S.gpg-agent',
      '.bitwarden-ssh-agent.sock',
      '.1password/agent.sock',
    ].map((name) => path.join(home, name)),
    ...[
      '.docker/run/docker.sock',
      '.colima/default/docker.sock',
      '.rd/docker.sock',
      '.orbstack/run/docker.sock',
      '.lima/a/sock/docker.sock',
    ].map((name) => path.join(home, name)),
    ...[
      '.emacs.d/server/server',
      '.config/Code/1.9-main.sock',
      '.cache/ibus/dbus-a',
      '.cache/keyring-A/ssh',
      'a b/s.sock',
      's.sock',
      'deep/er/s',
    ].map((name) => path.join(home, name)),
    ...['/run', '/tmp', '/var/tmp', '/dev/shm', '/var/run', '/var/lib', '/opt'].map(
      (folder) => `${folder}/open-agent-${process.pid}.sock`,
    ),
    ...['/tmp/.X11-unix/X', '/tmp/tmux-', '/tmp/dbus-'].map((start) => `${start}${process.pid}9`),
  ];

  it('are no sockets of programs outside, in generated places', async () => {
    const made: string[] = [];
    for (const place of places()) {
      await mkdir(path.dirname(place), { recursive: true }).catch(() => {});
      if (await listen(place)) made.push(place);
    }
    assert.ok(made.length >= 17, 'the sockets of the home folder exist');
    assert.deepEqual(await reachable(made), []);
    assert.deepEqual(await reachable(made, true), []);
    const { output } = await run(`cat ../notes.txt ../link.txt; ls -A ../deep; true`);
    assert.equal(output, 'notes\nnotes\ner\n', 'other files beside a socket stay visible');
  });

  it('are no abstract sockets without network; with network they are', async () => {
    const socket = `\0open-agent-${process.pid}`;
    assert.equal(await listen(socket), true);
    assert.deepEqual(await reachable([socket]), []);
    assert.deepEqual(await reachable([socket], true), [socket]);
  });

  it('are sockets in the workspace, which commands share', async () => {
    const socket = path.join(work, 's');
    assert.equal(await listen(socket), true);
    assert.deepEqual(await reachable([socket]), [socket]);
  });

  it('are no addresses of services in the environment', async () => {
    const names =
      'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY XAUTHORITY XDG_RUNTIME_DIR DOCKER_HOST CONTAINER_HOST TMUX STY NOTIFY_SOCKET'.split(
        ' ',
      );
    const environment = Object.fromEntries(names.map((name) => [name, 'mark']));
    assert.equal((await run('env | grep -c mark; true', { environment })).output, '0\n');
  });

  it('are no processes, and no variables of theirs', async () => {
    const { output } = await run(
      `grep -az ^OPEN_AGENT_MARK= /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -v grep; ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} 2>/dev/null && echo found; true`,
      { environment: { OPEN_AGENT_MARK: 'x' } },
    );
    const processes = Number(/^(\d+)$/m.exec(output)?.[1]);
    assert.ok(processes > 0 && processes < 10, output);
    assert.doesNotMatch(output, /found/);
  });

  it('are no keyrings, no sockets of rare families, and no terminal', async function () {
    await writeFile(
      path.join(work, 'try.py'),
      `import ctypes, errno, fcntl, os, platform, socket, sys
libc = ctypes.CDLL(None, use_errno=True)
calls = {'x86_64': (248, 249, 250, 425), 'aarch64': (217, 218, 219, 425)}[platform.machine()]
for call in calls:
    result = libc.syscall(call, 0, 0, 0, 0, 0)
    print('call', result, errno.errorcode[ctypes.get_errno()])
for family in (1, 2, 10, 40, 31, 38):
    try:
        socket.socket(family, socket.SOCK_STREAM).close()
        print('family', family, 'open')
    except OSError as error:
        print('family', family, errno.errorcode[error.errno])
try:
    fcntl.ioctl(os.open('/dev/tty', os.O_RDWR), 0x5412, b'x')
    print('typed')
except OSError as error:
    print('terminal', errno.errorcode[error.errno])
`,
    );
    const { output, exitCode } = await run('python3 try.py; status=$?; cat /proc/keys 2>/dev/null; exit $status', {
      allowsNetwork: true,
    });
    if (exitCode === 127) this.skip();
    assert.deepEqual(output.trim().split('\n'), [
      ...['call -1 EPERM', 'call -1 EPERM', 'call -1 EPERM', 'call -1 ENOSYS'],
      ...['family 1 open', 'family 2 open', 'family 10 open'],
      ...['family 40 EAFNOSUPPORT', 'family 31 EAFNOSUPPORT', 'family 38 EAFNOSUPPORT'],
      'terminal ENXIO',
    ]);
  });
});
