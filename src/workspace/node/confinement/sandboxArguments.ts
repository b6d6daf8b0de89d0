import path from 'node:path';
import { holdsSecrets } from '../../paths/protectedPaths';
import { isInside } from '../../paths/roots';
import { FILTER_DESCRIPTOR, type ConfinedWorld } from './bubblewrap';
import { hideSockets } from './hiddenSockets';
import type { SandboxEntries } from './findSandboxEntries';

/** The facts about the machine and the workspace that the sandbox depends on. `protectedPaths`: also for their names. */
export interface SandboxWorld extends ConfinedWorld, SandboxEntries {
  /** Absolute path. */
  readonly home: string;
  /** The folders of PATH. */
  readonly searchPath: readonly string[];
}

/** Programs, libraries and settings of the system. Nothing else of the disk is there, besides the workspace. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/gnu',
  '/snap',
];

/** Keys and passwords among the settings of the system, for agents that run as root. */
const SECRETS_OF_SYSTEM = [
  ...['shadow', 'shadow-', 'gshadow', 'gshadow-', 'sudoers', 'sudoers.d', 'krb5.keytab', 'ssh', 'ssl/private'],
  ...['NetworkManager', 'wireguard', 'openvpn', 'kubernetes', 'rancher', 'docker', 'letsencrypt', 'environment'],
].map((name) => path.join('/etc', name));

const EMPTY = ['/tmp', '/var/tmp', '/run'];
const PROGRAMS_OF_RUN = ['/run/current-system', '/run/opengl-driver', '/run/wrappers'];

/**
 * The arguments of bubblewrap for a sandboxed program. It begins with nothing, gets the system's programs, the programs in
 * PATH, an empty home and the workspace, and no network. Throws where that cannot be kept. Source: bwrap(1).
 */
export function sandboxArguments(writable: readonly string[], world: SandboxWorld): readonly string[] {
  const { find, list, sockets, home } = world;
  const ownHome = find(home)?.realPath ?? home;
  const open = writable.find((root) => isInside(ownHome, root) || SYSTEM.some((folder) => isInside(folder, root)));
  if (open !== undefined) throw new Error(`The workspace folder ${open} contains your home folder or the system.`);
  const inWorkspace = sockets.find((socket) => writable.some((root) => isInside(socket, root)));
  // Nothing can be mounted over a socket.
  if (inWorkspace !== undefined) throw new Error(`A program listens on ${inWorkspace}, in the workspace.`);
  const system = SYSTEM.filter((folder) => find(folder)?.kind === 'directory');
  const inPath = programFolders(ownHome, writable, world);
  const programs = inPath.filter((folder) => !isBelow(folder, system));
  const shown = [...system, ...programs];
  return [
    ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--unshare-net', '--cap-drop', 'ALL'],
    ...['--seccomp', `${FILTER_DESCRIPTOR}`],
    ...system.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...hideSockets(
      sockets.filter((socket) => isBelow(socket, system)),
      { covered: [], list },
    ),
    ...SECRETS_OF_SYSTEM.flatMap((file) => mask(file, world)),
    ...['--dev', '/dev', '--proc', '/proc'],
    // It lists the keys of the kernel's keyrings.
    ...mask('/proc/keys', world),
    ...EMPTY.flatMap((folder) => ['--tmpfs', folder]),
    ...PROGRAMS_OF_RUN.flatMap((file) => ['--ro-bind-try', file, file]),
    ...['--tmpfs', ownHome],
    ...(ownHome === home || find(home) === undefined ? [] : ['--symlink', ownHome, home]),
    ...programs.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...writable.flatMap((root) => ['--bind', root, root]),
    ...readOnlyArguments(writable, world),
    ...world.hidden.filter((file) => isBelow(file, [...shown, ...writable])).flatMap((file) => mask(file, world)),
    ...inPath.flatMap((folder) => secretsIn(folder, world)).flatMap((file) => mask(file, world)),
    ...['--remount-ro', '/', '--chdir', world.cwd, '--'],
  ];
}

/**
 * The folders of PATH outside the workspace. Of an installation with libraries of its own, such as Node's, the whole. What
 * would show the home folder or the workspace is left out.
 */
function programFolders(
  home: string,
  writable: readonly string[],
  { searchPath, find }: SandboxWorld,
): readonly string[] {
  const folders = searchPath.flatMap((folder) => {
    const above = path.dirname(folder);
    const isInstallation =
      path.basename(folder) === 'bin' &&
      find(path.join(above, 'lib'))?.kind === 'directory' &&
      above !== path.join(home, '.local');
    return isInstallation ? [above, folder] : [folder];
  });
  return [...new Set(folders)].filter((folder) => {
    const found = path.isAbsolute(folder) ? find(folder) : undefined;
    if (found?.kind !== 'directory') return false;
    const isTooMuch = [home, ...writable, ...SYSTEM].some(
      (place) => isInside(place, folder) || isInside(place, found.realPath),
    );
    return !isTooMuch && !isBelow(folder, writable) && !isBelow(found.realPath, writable);
  });
}

/** The files and folders of a folder that may hold secrets. What a link leads to is shown by itself, or is not there. */
function secretsIn(folder: string, { list }: SandboxWorld): readonly string[] {
  return list(folder)
    .filter(({ name, target }) => target === undefined && holdsSecrets(name))
    .map(({ name }) => path.join(folder, name));
}

function mask(file: string, { find }: SandboxWorld): readonly string[] {
  const found = find(file);
  if (!found || found.kind === 'other') return [];
  return found.kind === 'directory' ? ['--tmpfs', found.realPath] : ['--ro-bind', '/dev/null', found.realPath];
}

/** As mounts they cannot be renamed or replaced either. The secrets in them are hidden afterwards. */
function readOnlyArguments(
  writable: readonly string[],
  { protectedPaths, readOnly, hidden, find }: SandboxWorld,
): readonly string[] {
  const paths = [...protectedPaths, ...readOnly].flatMap((file) => {
    const found = find(file);
    if (!found || found.kind === 'other' || hidden.includes(found.realPath)) return [];
    const isOpened = writable.some((root) => isInside(root, found.realPath));
    return isBelow(found.realPath, writable) && !isOpened ? [found.realPath] : [];
  });
  return [...new Set(paths)].toSorted((a, b) => a.length - b.length).flatMap((file) => ['--ro-bind', file, file]);
}

function isBelow(file: string, folders: readonly string[]): boolean {
  return folders.some((folder) => isInside(file, folder));
}
