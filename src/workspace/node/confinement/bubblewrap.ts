import path from 'node:path';
import { isInside } from '../../paths/roots';
import type { Confinement } from '../../ports';

/** The facts about the machine that the arguments depend on. */
export interface ConfinedWorld {
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly cwd: string;
  /** Follows links, because nothing can be mounted over a link. */
  readonly find: (file: string) => FoundFile | undefined;
}

export interface FoundFile {
  readonly kind: 'file' | 'directory';
  readonly realPath: string;
}

/**
 * The arguments of bubblewrap for a confined program. It can read everything except secrets and the sockets of services. It
 * can write only to workspace folders and new temporary folders, and not to files that git and the editor run. Its processes
 * see no others and end with the first one. Source: bwrap(1).
 */
export function bubblewrapArguments({ allowsNetwork, writable }: Confinement, world: ConfinedWorld): readonly string[] {
  const masks = SECRETS.map((name) => path.join(world.home, name));
  // A workspace inside a masked folder stays visible. A masked folder inside a workspace is hidden.
  const [outer, inner] = [
    masks.filter((mask) => writable.some((root) => isInside(root, mask))),
    masks.filter((mask) => !writable.some((root) => isInside(root, mask))),
  ];
  return [
    ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
    ...(allowsNetwork ? [] : ['--unshare-net']),
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...TEMPORARY.flatMap((folder) => (world.find(folder)?.realPath === folder ? ['--tmpfs', folder] : [])),
    // Sockets of services are dangerous even in a read-only folder.
    ...['--tmpfs', '/run'],
    ...NEEDED_OF_RUN.flatMap((file) => ['--ro-bind-try', file, file]),
    ...outer.flatMap((mask) => maskArguments(mask, world)),
    ...writable.flatMap((root) => ['--bind', root, root]),
    ...inner.flatMap((mask) => maskArguments(mask, world)),
    ...writable.flatMap((root) => protectArguments(root, world)),
    ...['--chdir', world.cwd, '--'],
  ];
}

const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'];

/** Files for name resolution, and the program folders of some systems. */
const NEEDED_OF_RUN = [
  '/run/systemd/resolve',
  '/run/resolvconf',
  '/run/NetworkManager/resolv.conf',
  '/run/nscd',
  '/run/current-system',
  '/run/opengl-driver',
  '/run/wrappers',
];

/** Below the home folder: keys, tokens, passwords, browsers, and this extension's own data. */
const SECRETS = [
  '.ssh',
  '.aws',
  '.azure',
  '.gnupg',
  '.kube',
  '.docker',
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/git/credentials',
  '.config/google-chrome',
  '.config/chromium',
  '.config/BraveSoftware',
  '.config/microsoft-edge',
  '.config/vivaldi',
  '.config/opera',
  '.mozilla',
  '.thunderbird',
  '.cache/mozilla',
  '.cache/google-chrome',
  '.cache/chromium',
  '.local/share/keyrings',
  '.local/share/kwalletd',
  '.local/share/containers',
  'snap',
  '.var/app',
  '.password-store',
  '.1password',
  '.vault-token',
  '.terraform.d',
  '.netrc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.bash_history',
  '.zsh_history',
  '.open-agent',
  '.config/Code/User',
  '.config/Code - Insiders/User',
  '.config/VSCodium/User',
  '.vscode-server/data/User',
];

function maskArguments(file: string, { find }: ConfinedWorld): readonly string[] {
  const found = find(file);
  if (!found) return [];
  return found.kind === 'directory' ? ['--tmpfs', found.realPath] : ['--ro-bind', '/dev/null', found.realPath];
}

/** Protects the files that git or the editor would run later, unconfined. */
function protectArguments(root: string, { find }: ConfinedWorld): readonly string[] {
  const git = path.join(root, '.git');
  const hooks = path.join(git, 'hooks');
  const gitFile = find(git)?.kind === 'file' ? [git] : [];
  const names = ['config', 'config.worktree', 'modules', 'hooks'].map((name) => path.join(git, name));
  return [
    // As a mount it cannot be renamed and replaced.
    ...(find(git)?.kind === 'directory' ? ['--bind', git, git] : []),
    ...[...gitFile, path.join(root, '.vscode'), ...names].flatMap((file) => {
      const found = find(file);
      return found ? ['--ro-bind', found.realPath, found.realPath] : [];
    }),
    // If there is no hooks folder, the command must not create one.
    ...(find(git)?.kind === 'directory' && !find(hooks) ? ['--tmpfs', hooks, '--remount-ro', hooks] : []),
  ];
}
