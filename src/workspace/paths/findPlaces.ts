import path from 'node:path';
import { Slices } from '../../util/slices/slices';
import { mapInSlices } from '../../util/slices/mapInSlices';
import type { PathLookup, Root } from '../ports';
import { guardPath } from './guardPath';
import { isReadingProtected } from './protectedPaths';
import { isInside, resolveInRoots } from './roots';

/** A file or folder of the workspace that an answer names. */
export interface FoundPlace {
  /** As the answer names it. */
  readonly name: string;
  /** Its display path. */
  readonly path: string;
}

export interface PlaceFinding {
  readonly roots: readonly Root[];
  readonly fileSystem: PathLookup;
  /** The display paths of the workspace's files, without those that git ignores or that may hold secrets. */
  readonly listNames: () => Promise<readonly string[]>;
}

/**
 * The names that lead to something in the workspace: as a path, or as the end of exactly one listed path (`cart.js` for
 * `src/cart.js`). Only for the person's eyes, because it tells what exists. Opens no file, and looks at nothing whose
 * path is outside or that may hold secrets. Never rejects for a name that cannot be used.
 */
export async function findPlaces(names: readonly string[], finding: PlaceFinding): Promise<readonly FoundPlace[]> {
  const paths = await mapInSlices(names, (name) => findPath(name, finding));
  const isOpen = (name: string, index: number): boolean => paths[index] === undefined && isPlainName(name);
  const ends = names.some(isOpen)
    ? await endsOf(names.filter(isOpen), await finding.listNames())
    : new Map<string, null>();
  return names.flatMap((name, index) => {
    const found = paths[index] ?? ends.get(name);
    return found ? [{ name, path: found }] : [];
  });
}

async function findPath(name: string, { roots, fileSystem }: PlaceFinding): Promise<string | undefined> {
  const resolved = resolveInRoots(name, roots);
  // A path outside is not even looked at: nobody has asked for it yet.
  if (!resolved.ok || !roots.some((root) => isInside(resolved.path, root.path, path))) return undefined;
  // Without `protectedLinks`: other names of a file do not matter here, and finding them takes long.
  const lookup: PathLookup = {
    stat: (file) => fileSystem.stat(file),
    realPath: (file) => fileSystem.realPath(file),
    listDirectory: (folder) => fileSystem.listDirectory(folder),
    ...(fileSystem.readLink && { readLink: fileSystem.readLink.bind(fileSystem) }),
  };
  const guarded = await guardPath(name, { roots, fileSystem: lookup });
  return guarded.ok && guarded.path.exists && !isReadingProtected(guarded.path) ? guarded.path.displayPath : undefined;
}

/** Whether the name can be the end of a display path. */
function isPlainName(name: string): boolean {
  return !name.startsWith('/') && !name.endsWith('/') && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(name);
}

/** By name: the only path that ends with it, or `null` where several do. */
async function endsOf(names: readonly string[], paths: readonly string[]): Promise<ReadonlyMap<string, string | null>> {
  const slices = new Slices();
  const wanted = new Set(names);
  const depths = new Set(names.map((name) => name.split('/').length));
  const ends = new Map<string, string | null>();
  for (const listed of paths) {
    const segments = listed.split('/');
    for (const depth of depths) {
      const end = segments.slice(-depth).join('/');
      if (depth <= segments.length && wanted.has(end)) ends.set(end, ends.has(end) ? null : listed);
    }
    if (slices.isOver()) await slices.pause();
  }
  return ends;
}
