import path from 'node:path';
import type { Guarded, GuardedPath } from '../plans';
import type { FileSystem, Root } from '../ports';
import { findPathProblem, findPlatformProblem, isSystemPath, looksLikeShortName } from './pathSyntax';
import { describeOutside, displayPath, isInside, resolveInRoots, type PathFlavour } from './roots';
import { guardVirtualPath } from './guardVirtualPath';
import { isVirtualPath } from './virtualPaths';
import { messageOf } from '../../util/errors';

export interface GuardOptions {
  /** With distinct names; see `withDistinctNames`. */
  readonly roots: readonly Root[];
  readonly fileSystem: FileSystem;
  /**
   * What happens to a path outside of every folder. `refuse`, the default: it is an error. `mark`: it comes back with
   * `pathInRoot: null`, for callers whose plan a person is asked about then.
   */
  readonly outside?: 'refuse' | 'mark' | undefined;
  /** Whose rules for paths hold; that of this process by default. */
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Decides whether a path a model gave lies in the workspace, by the real path of the target or of its nearest existing
 * ancestor. Which names are the same is for the file system to say, not for us. Refused wherever they lie: links that
 * lead nowhere or in circles, devices, pipes and sockets, the kernel's files, URIs, `~`. Whatever cannot be determined is
 * refused. The error is written for the model.
 *
 * Folders that are not on disk have no real paths; see `guardVirtualPath`.
 */
export async function guardPath(input: string, options: GuardOptions): Promise<Guarded> {
  const { roots, fileSystem, outside = 'refuse', platform = process.platform } = options;
  const flavour = platform === 'win32' ? path.win32 : path.posix;
  const problem = findPathProblem(input);
  if (problem !== undefined) return refuse(problem);
  const resolved = resolveInRoots(input, roots, flavour);
  const isVirtual = resolved.ok && isVirtualPath(resolved.path);
  const platformProblem = isVirtual ? undefined : findPlatformProblem(input, platform);
  if (platformProblem !== undefined) return refuse(platformProblem);
  if (!resolved.ok) return resolved;
  const target = resolved.path;

  try {
    if (isVirtual) return await guardVirtualPath(input, target, { roots, fileSystem });
    const places = await findPlaces(roots, fileSystem);
    const lexicalRoot = places.find(({ root }) => isInside(target, root.path, flavour));
    const isBelow = (candidate: string): boolean =>
      places.some(({ root, realPath }) => [root.path, realPath].some((top) => isInside(candidate, top, flavour)));
    // Kernel paths such as /proc/self/root lead back into the workspace; they are refused all the same.
    if (isSystemPath(target) && !isBelow(target)) return refuse(describeSystemPath(input));

    const found = await findExisting(target, fileSystem, flavour);
    if (!found) return refuse(describeOutside(input, roots));
    const { realPath, missing } = found;
    const complete = flavour.join(realPath, ...missing);
    const place = places.findLast((candidate) => isInside(complete, candidate.realPath, flavour));
    // A link can lead to a share as well. To be asked to look there once more is to be asked for credentials again.
    if (!place && complete.startsWith('\\\\'))
      return refuse(`"${input}" leads to a network share, which is not allowed.`);
    if (!place && isSystemPath(complete)) return refuse(describeSystemPath(input));
    if (!place && outside === 'refuse') return refuse(describeOutside(input, roots));

    const obstacle = await findObstacle(input, found, { ...options, flavour });
    if (obstacle !== undefined) return refuse(obstacle);
    const relative = place && flavour.relative(place.realPath, complete);
    const opened = lexicalRoot && place ? target : place ? flavour.join(place.root.path, relative ?? '') : complete;
    return {
      ok: true,
      path: {
        path: opened,
        realPath: complete,
        displayPath: place ? displayPath(opened, roots, flavour) : complete,
        pathInRoot: relative === undefined ? null : relative.split(flavour.sep).join('/'),
        exists: missing.length === 0,
      },
    };
  } catch (error) {
    return refuse(`"${input}" cannot be used: ${messageOf(error)}`);
  }
}

/**
 * Looks again, right before a path is used: the error when it does not lead to where it led when it was looked at,
 * `undefined` when it still does.
 */
export async function findMove(target: GuardedPath, options: GuardOptions): Promise<string | undefined> {
  const again = await guardPath(target.path, { ...options, outside: target.pathInRoot === null ? 'mark' : 'refuse' });
  if (!again.ok) return again.error;
  const { realPath, pathInRoot, exists } = again.path;
  if (realPath === target.realPath && pathInRoot === target.pathInRoot) {
    return target.exists && !exists ? `"${target.displayPath}" is not there any more. Nothing was done.` : undefined;
  }
  return `"${target.displayPath}" leads to another place than when it was looked at. Nothing was done. Try again.`;
}

interface Existing {
  /** The target or its nearest existing ancestor, as asked for. */
  readonly path: string;
  readonly realPath: string;
  /** What is below that and does not exist yet. */
  readonly missing: readonly string[];
}

async function findExisting(
  target: string,
  fileSystem: FileSystem,
  flavour: PathFlavour,
): Promise<Existing | undefined> {
  const missing: string[] = [];
  for (let current = target; ; current = flavour.dirname(current)) {
    const realPath = await fileSystem.realPath(current);
    if (realPath !== undefined) return { path: current, realPath, missing };
    if (current === flavour.dirname(current)) return undefined;
    missing.unshift(flavour.basename(current));
  }
}

/** Why what is there cannot be used, or what is not there cannot be made. */
async function findObstacle(
  input: string,
  { path: existing, realPath, missing }: Existing,
  { roots, fileSystem, flavour }: GuardOptions & { readonly flavour: PathFlavour },
): Promise<string | undefined> {
  const stat = await fileSystem.stat(realPath);
  if (!stat) return `"${input}" disappeared while it was looked up. Try again.`;
  if (stat.kind === 'other') {
    return `"${input}" is a device, pipe or socket. Only regular files and folders can be used.`;
  }
  const [firstMissing] = missing;
  if (firstMissing === undefined) return undefined;
  if (stat.kind === 'file') {
    return `"${displayPath(existing, roots, flavour)}" is a file, so there is nothing below it.`;
  }
  const shortName = flavour.sep === '\\' ? missing.find(looksLikeShortName) : undefined;
  if (shortName !== undefined) return `"${shortName}" could be the short name of another file. Use the whole name.`;
  const entries = await fileSystem.listDirectory(realPath);
  const isLink = entries.some((entry) => entry.name === firstMissing && entry.isSymbolicLink);
  return isLink ? `"${input}" goes through "${firstMissing}", a link to something that does not exist.` : undefined;
}

/** A folder that is there, and where it really is. */
interface Place {
  readonly root: Root;
  readonly realPath: string;
}

/** Outer folders come first, so that the last one that holds a path is the nearest. */
async function findPlaces(roots: readonly Root[], fileSystem: FileSystem): Promise<readonly Place[]> {
  const found = await Promise.all(
    roots
      .filter(({ path: folder }) => !isVirtualPath(folder))
      .map(async (root) => ({ root, realPath: await fileSystem.realPath(root.path) })),
  );
  return found
    .flatMap(({ root, realPath }) => (realPath === undefined ? [] : [{ root, realPath }]))
    .sort((a, b) => a.realPath.length - b.realPath.length);
}

function refuse(error: string): Guarded {
  return { ok: false, error };
}

function describeSystemPath(input: string): string {
  return `"${input}" is not a file to work on: it belongs to the operating system's devices or processes.`;
}
