import path from 'node:path';
import { isInside } from '../../paths/roots';

/** An entry of a folder, as far as it can be shown again after the folder was hidden. */
export interface ShownEntry {
  readonly name: string;
  /** Set for links. */
  readonly target?: string | undefined;
}

/** More entries of one folder are not shown again, only hidden. */
const MAX_SHOWN = 800;

/** The absolute paths of all bound sockets in the text of `/proc/net/unix`. Those without a file begin with `@`. */
export function socketPaths(text: string): readonly string[] {
  const paths = text.split('\n').flatMap((line) => /^\S+: (?:\S+ +){5}\d+ (\/.*)$/.exec(line)?.[1] ?? []);
  return [...new Set(paths)];
}

/**
 * The arguments of bubblewrap that hide sockets. It cannot mount anything over a socket. So their folders are hidden,
 * and all other entries are shown again. `covered` folders are hidden already. Throws for sockets in the root folder.
 */
export function hideSockets(
  sockets: readonly string[],
  { covered, list }: { readonly covered: readonly string[]; readonly list: (folder: string) => readonly ShownEntry[] },
): readonly string[] {
  const visible = sockets.filter((socket) => !covered.some((folder) => isInside(socket, folder)));
  // Outer folders first, because showing an outer one again shows the inner one too.
  const folders = [...new Set(visible.map((socket) => path.dirname(socket)))].toSorted((a, b) => a.length - b.length);
  return folders.flatMap((folder) => {
    if (folder === '/')
      throw new Error(`The socket ${visible.find((one) => path.dirname(one) === '/')} cannot be hidden.`);
    const shown = list(folder).filter(({ name }) => !visible.includes(path.join(folder, name)));
    return ['--tmpfs', folder, ...(shown.length > MAX_SHOWN ? [] : shown.flatMap((entry) => show(folder, entry)))];
  });
}

function show(folder: string, { name, target }: ShownEntry): readonly string[] {
  const file = path.join(folder, name);
  return target === undefined ? ['--ro-bind-try', file, file] : ['--symlink', target, file];
}
