import { isInside } from '../../paths/roots';
import type { Confinement } from '../../ports';
import { hideSockets, type ShownEntry } from './hiddenSockets';

/** The facts about the machine that the arguments depend on. */
export interface ConfinedWorld {
  /** Absolute paths of what no command may see. They need not exist. */
  readonly hidden: readonly string[];
  /** Absolute paths of the sockets of services. */
  readonly sockets: readonly string[];
  readonly list: (folder: string) => readonly ShownEntry[];
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

/** The file descriptor from which bubblewrap reads the filter of system calls. */
export const FILTER_DESCRIPTOR = 3;

/** Each takes three arguments of bubblewrap, which accepts 9,000. */
const MAX_PROTECTED = 2000;

/**
 * The arguments of bubblewrap for a confined program. It can read everything except secrets and the sockets of
 * services. It can write only to workspace folders and new temporary folders, and not to the protected paths in them.
 * Its processes see no others and end with the first one. Throws if there are too many protected paths. Source:
 * bwrap(1).
 */
export function bubblewrapArguments(confinement: Confinement, world: ConfinedWorld): readonly string[] {
  const { allowsNetwork, writable, programs = [] } = confinement;
  const masks = world.hidden;
  const emptied = EMPTY.filter((folder) => world.find(folder)?.realPath === folder);
  const covered = ['/dev', '/proc', ...emptied];
  // A workspace inside a masked folder stays visible. A masked folder inside a workspace is hidden.
  const [outer, inner] = [
    masks.filter((mask) => writable.some((root) => isInside(root, mask))),
    masks.filter((mask) => !writable.some((root) => isInside(root, mask))),
  ];
  return [
    ...['--die-with-parent', '--new-session', '--unshare-pid', '--unshare-ipc', '--cap-drop', 'ALL'],
    ...(allowsNetwork ? [] : ['--unshare-net']),
    ...['--seccomp', `${FILTER_DESCRIPTOR}`],
    ...['--ro-bind', '/', '/'],
    // Sockets of services are dangerous even in a read-only folder.
    ...hideSockets(world.sockets, { covered: [...covered, ...writable], list: world.list }),
    ...['--dev', '/dev', '--proc', '/proc'],
    // It lists the keys of the kernel's keyrings.
    ...maskArguments('/proc/keys', world),
    ...emptied.flatMap((folder) => ['--tmpfs', folder]),
    ...programs
      .filter((program) => emptied.some((folder) => isInside(program, folder)))
      .flatMap((folder) => ['--ro-bind', folder, folder]),
    ...[...PROGRAMS_OF_RUN, ...(allowsNetwork ? NAME_RESOLUTION : [])].flatMap((file) => ['--ro-bind-try', file, file]),
    ...outer.flatMap((mask) => maskArguments(mask, world)),
    ...writable.flatMap((root) => ['--bind', root, root]),
    ...inner.flatMap((mask) => maskArguments(mask, world)),
    ...protectArguments(writable, inner, world),
    ...['--chdir', world.cwd, '--'],
  ];
}

/** Temporary folders, and folders of sockets. */
const EMPTY = ['/tmp', '/var/tmp', '/dev/shm', '/run', '/var/run'];

const PROGRAMS_OF_RUN = ['/run/current-system', '/run/opengl-driver', '/run/wrappers'];

/** Their sockets ask other machines for names, so they are a way out without network. */
const NAME_RESOLUTION = ['/run/systemd/resolve', '/run/resolvconf', '/run/NetworkManager/resolv.conf', '/run/nscd'];

function maskArguments(file: string, { find }: ConfinedWorld): readonly string[] {
  const found = find(file);
  // A socket is hidden with its folder.
  if (!found || found.kind === 'other') return [];
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
