import assert from 'node:assert/strict';
import { bubblewrapArguments, type FoundFile } from '../../../../../src/workspace/node/confinement/bubblewrap';

describe('bubblewrapArguments', () => {
  const files: Readonly<Record<string, FoundFile['kind']>> = {
    '/tmp': 'directory',
    '/home/me/.ssh': 'directory',
    '/home/me/.netrc': 'file',
    '/home/me/.aws': 'directory',
    '/work/.git': 'directory',
    '/work/.git/config': 'file',
    '/work/.git/hooks': 'directory',
    '/work/.vscode': 'directory',
  };
  const argumentsFor = (
    allowsNetwork: boolean,
    writable: readonly string[],
    more: Readonly<Record<string, FoundFile>> = {},
  ) =>
    bubblewrapArguments(
      { allowsNetwork, writable },
      {
        home: '/home/me',
        cwd: '/work/src',
        find: (file) => more[file] ?? (files[file] && { kind: files[file], realPath: file }),
      },
    ).join(' ');

  it('allow writes only to the workspace, without network, secrets, sockets and git’s programs', () => {
    assert.equal(
      argumentsFor(false, ['/work']),
      [
        '--die-with-parent --new-session --unshare-pid --unshare-ipc --cap-drop ALL --unshare-net',
        '--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run',
        '--ro-bind-try /run/systemd/resolve /run/systemd/resolve --ro-bind-try /run/resolvconf /run/resolvconf',
        '--ro-bind-try /run/NetworkManager/resolv.conf /run/NetworkManager/resolv.conf --ro-bind-try /run/nscd /run/nscd',
        '--ro-bind-try /run/current-system /run/current-system --ro-bind-try /run/opengl-driver /run/opengl-driver',
        '--ro-bind-try /run/wrappers /run/wrappers --bind /work /work',
        '--tmpfs /home/me/.ssh --tmpfs /home/me/.aws --ro-bind /dev/null /home/me/.netrc',
        '--bind /work/.git /work/.git --ro-bind /work/.vscode /work/.vscode --ro-bind /work/.git/config /work/.git/config',
        '--ro-bind /work/.git/hooks /work/.git/hooks --chdir /work/src --',
      ].join(' '),
    );
  });

  it('keep the network if it is allowed', () => {
    assert.doesNotMatch(argumentsFor(true, ['/work']), /--unshare-net/);
  });

  it('hide secrets in a workspace, and show a workspace in a hidden folder', () => {
    assert.match(argumentsFor(true, ['/home/me']), /--bind \/home\/me \/home\/me .*--tmpfs \/home\/me\/\.ssh /);
    assert.match(argumentsFor(true, ['/home/me/.ssh/x']), /--tmpfs \/home\/me\/\.ssh .*--bind \/home\/me\/\.ssh\/x /);
  });

  it('hide the target of a link', () => {
    const linked = { '/home/me/.ssh': { kind: 'directory', realPath: '/mnt/keys' } } as const;
    assert.match(argumentsFor(true, ['/work'], linked), /--tmpfs \/mnt\/keys /);
  });

  it('prevent a missing hooks folder from being created', () => {
    const found = { '/other/.git': { kind: 'directory', realPath: '/other/.git' } } as const;
    assert.match(
      argumentsFor(true, ['/other'], found),
      /--tmpfs \/other\/\.git\/hooks --remount-ro \/other\/\.git\/hooks/,
    );
  });
});
