import assert from 'node:assert/strict';
import { bubblewrapArguments, type FoundFile } from '../../../../../src/workspace/node/confinement/bubblewrap';

describe('bubblewrapArguments', () => {
  const files: Readonly<Record<string, FoundFile['kind']>> = {
    '/tmp': 'directory',
    '/run': 'directory',
    '/home/me/.ssh': 'directory',
    '/home/me/.netrc': 'file',
    '/home/me/.aws': 'directory',
    '/work/.git': 'directory',
    '/work/.vscode': 'directory',
  };
  const argumentsFor = (
    allowsNetwork: boolean,
    writable: readonly string[],
    more: Readonly<Record<string, FoundFile>> = {},
    protectedPaths: readonly string[] = [],
  ) =>
    bubblewrapArguments(
      { allowsNetwork, writable },
      {
        hidden: ['/home/me/.ssh', '/home/me/.netrc', '/home/me/.aws', '/home/me/.gone', '/home/me/.npmrc'],
        sockets: ['/run/docker.sock', '/home/me/.agent.sock'],
        list: () => [{ name: 'notes' }, { name: 'link', target: 'notes' }, { name: '.agent.sock' }],
        cwd: '/work/src',
        protectedPaths,
        find: (file) => more[file] ?? (files[file] && { kind: files[file], realPath: file }),
      },
    ).join(' ');

  it('allow writes only to the workspace, without network, secrets, sockets and protected paths', () => {
    assert.equal(
      argumentsFor(false, ['/work'], {}, ['/work/.git', '/work/.vscode', '/work/gone', '/work/.git']),
      [
        '--die-with-parent --new-session --unshare-pid --unshare-ipc --cap-drop ALL --unshare-net --seccomp 3',
        '--ro-bind / / --tmpfs /home/me --ro-bind-try /home/me/notes /home/me/notes --symlink notes /home/me/link',
        '--dev /dev --proc /proc --tmpfs /tmp --tmpfs /run',
        '--ro-bind-try /run/current-system /run/current-system --ro-bind-try /run/opengl-driver /run/opengl-driver',
        '--ro-bind-try /run/wrappers /run/wrappers --bind /work /work',
        '--tmpfs /home/me/.ssh --ro-bind /dev/null /home/me/.netrc --tmpfs /home/me/.aws',
        '--ro-bind /work/.git /work/.git --ro-bind /work/.vscode /work/.vscode --chdir /work/src --',
      ].join(' '),
    );
  });

  it('keep the network if it is allowed', () => {
    const args = argumentsFor(true, ['/work']);
    assert.doesNotMatch(args, /--unshare-net/);
    assert.match(args, /--ro-bind-try \/run\/systemd\/resolve \/run\/systemd\/resolve /);
  });

  it('hide secrets in a workspace, and show a workspace in a hidden folder', () => {
    assert.match(argumentsFor(true, ['/home/me']), /--bind \/home\/me \/home\/me .*--tmpfs \/home\/me\/\.ssh /);
    assert.match(argumentsFor(true, ['/home/me/.ssh/x']), /--tmpfs \/home\/me\/\.ssh .*--bind \/home\/me\/\.ssh\/x /);
  });

  it('hide the target of a link', () => {
    const linked = { '/home/me/.ssh': { kind: 'directory', realPath: '/mnt/keys' } } as const;
    assert.match(argumentsFor(true, ['/work'], linked), /--tmpfs \/mnt\/keys /);
  });

  it('protect the target of a link if the command could write there', () => {
    const protectedPaths = ['/work/in', '/work/out'];
    const linked = {
      '/work/in': { kind: 'directory', realPath: '/work/repo' },
      '/work/out': { kind: 'directory', realPath: '/elsewhere' },
    } as const;
    const args = argumentsFor(true, ['/work'], linked, protectedPaths);
    assert.match(args, /--ro-bind \/work\/repo \/work\/repo /);
    assert.doesNotMatch(args, /elsewhere/);
  });

  it('neither show hidden files again nor lock a folder that the person opened', () => {
    const found = { '/home/me/.npmrc': { kind: 'file', realPath: '/home/me/.npmrc' } } as const;
    const args = argumentsFor(true, ['/home/me', '/home/me/.vscode/x'], found, ['/home/me/.npmrc', '/home/me/.vscode']);
    assert.match(args, /--ro-bind \/dev\/null \/home\/me\/\.npmrc /);
    assert.doesNotMatch(args, /--ro-bind \/home\/me\/\.(npmrc|vscode) /);
  });

  it('refuse more paths than bubblewrap accepts', () => {
    const many = Array.from({ length: 2001 }, (_, index) => `/work/${index}/.git`);
    const found = Object.fromEntries(many.map((file) => [file, { kind: 'directory', realPath: file }] as const));
    assert.throws(() => argumentsFor(true, ['/work'], found, many), /2001 files and folders .* too many to protect/);
  });
});
