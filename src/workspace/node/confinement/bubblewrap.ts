import { isInside } from '../../paths/roots';
import type { Confinement } from '../../ports';
import { hiddenPlaces } from './hiddenFiles';

/** The facts about the machine that the arguments depend on. */
export interface ConfinedWorld {
  /** Absolute path of the home folder. */
  readonly home: string;
  readonly cwd: string;
  /** Follows links, because nothing can be mounted over a link. */
  readonly find: (file: string) => FoundFile | undefined;
  /** Absolute paths of what programs outside obey. Read-only for the command. */
  readonly protectedPaths: readonly string[];
}

export interface FoundFile {
  readonly kind: 'file' | 'directory' | 'other';
  readonly realPath: string;
}

/** Each takes three arguments of bubblewrap, which accepts 9,000. */
const MAX_PROTECTED = 2000;

/**
 * The arguments of bubblewrap for a confined program. It can read everything except secrets and the sockets of services. It
 * can write only to workspace folders and new temporary folders, and not to the protected paths in them. Its processes see no
 * others and end with the first one. Throws if there are too many protected paths. Source: bwrap(1).
 */
export function bubblewrapArguments({ allowsNetwork, writable }: Confinement, world: ConfinedWorld): readonly string[] {
  const masks = hiddenPlaces(world.home);
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
    ...protectArguments(writable, inner, world),
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

function maskArguments(file: string, { find }: ConfinedWorld): readonly string[] {
  const found = find(file);
  if (!found) return [];
  return found.kind === 'directory' ? ['--tmpfs', found.realPath] : ['--ro-bind', '/dev/null', found.realPath];
}

/** Makes the protected paths read-only. As mounts they cannot be renamed or replaced either. */
function protectArguments(
  writable: readonly string[],
  masks: readonly string[],
  { protectedPaths, find }: ConfinedWorld,
): readonly string[] {
  const hidden = masks.flatMap((mask) => find(mask)?.realPath ?? []);
  const paths = protectedPaths.flatMap((file) => {
    const found = find(file);
    // Nothing can be mounted over a socket or a pipe.
    if (!found || found.kind === 'other') return [];
    const { realPath } = found;
    const isWritable = writable.some((root) => isInside(realPath, root));
    // The person opened this folder as a workspace.
    const isOpened = writable.some((root) => isInside(root, realPath));
    // A mount on a hidden file would show it again.
    const isHidden = hidden.some((mask) => isInside(realPath, mask));
    return isWritable && !isOpened && !isHidden ? [realPath] : [];
  });
  const unique = [...new Set(paths)];
  if (unique.length > MAX_PROTECTED) {
    throw new Error(
      `The workspace has ${unique.length} files and folders such as .git and .npmrc, too many to protect.`,
    );
  }
  return unique.flatMap((file) => ['--ro-bind', file, file]);
}
