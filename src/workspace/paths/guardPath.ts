import path from 'node:path';
import type { Guarded, GuardedPath } from '../plans';
import type { PathLookup, Root } from '../ports';
import { findPathProblem, findPlatformProblem, isSystemPath, looksLikeShortName } from './pathSyntax';
import { describeOutside, displayPath, isInside, resolveInRoots, type PathFlavour } from './roots';
import { guardVirtualPath } from './guardVirtualPath';
import { isNameProtected, isReadingProtected } from './protectedPaths';
import { isVirtualPath } from './virtualPaths';
import { messageOf } from '../../util/errors';

export interface GuardOptions {
  /** With distinct names; see `withDistinctNames`. */
  readonly roots: readonly Root[];
  readonly fileSystem: PathLookup;
  /**
   * How a path outside the workspace is treated. `refuse` (default): an error. `mark`: the result has `pathInRoot:
   * null`, and a person must be asked about the plan.
   */
  readonly outside?: 'refuse' | 'mark' | undefined;
  /** The path is in an approved plan. */
  readonly isApproved?: boolean | undefined;
  /** The platform whose path rules hold. Default: that of this process. */
  readonly platform?: NodeJS.Platform | undefined;
}

/**
 * Decides whether a path that a model gave is in the workspace, by the real path of the target or of its nearest existing
 * folder. So a link that leads out of the workspace counts as outside. Refused anywhere: broken and circular links,
 * devices, pipes, sockets, the kernel's files, URIs and `~`. Also refused: paths that cannot be checked. The error is for
 * the model. Virtual folders have no real paths; see `guardVirtualPath`.
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
    if (isVirtual) return await guardVirtualPath(input, target, options);
    const places = await findPlaces(roots, fileSystem);
    const lexicalRoot = places.find(({ root }) => isInside(target, root.path, flavour));
    const isBelow = (candidate: string): boolean =>
      places.some(({ root, realPath }) => [root.path, realPath].some((top) => isInside(candidate, top, flavour)));
    // Kernel paths such as /proc/self/root are refused even if they lead back into the workspace.
    if (isSystemPath(target) && !isBelow(target)) return refuse(describeSystemPath(input));

    const found = await findExisting(target, fileSystem, flavour);
    if (!found) return refuse(describeOutside(input, roots));
    const { realPath, missing } = found;
    const complete = flavour.join(realPath, ...missing);
    const place = places.findLast((candidate) => isInside(complete, candidate.realPath, flavour));
    // Looking at a share again would send the user's credentials again.
    if (!place && complete.startsWith('\\\\'))
      return refuse(`"${input}" leads to a network share, which is not allowed.`);
    if (!place && isSystemPath(complete)) return refuse(describeSystemPath(input));
    if (!place && outside === 'refuse') return refuse(describeOutside(input, roots));

    const relative = place && flavour.relative(place.realPath, complete);
    const unlinkedPath = place && flavour.join(place.root.path, relative ?? '');
    const opened = lexicalRoot && unlinkedPath !== undefined ? target : (unlinkedPath ?? complete);
    const isUnlinked = unlinkedPath === undefined || isSamePath(unlinkedPath, opened, platform);
    const names = {
      displayPath: place ? displayPath(opened, roots, flavour) : complete,
      pathInRoot: relative === undefined ? null : relative.split(flavour.sep).join('/'),
    };
    if (options.isApproved || !isNameProtected(names)) {
      if (found.brokenLink !== undefined) {
        return refuse(`"${input}" goes through "${found.brokenLink}", a link to something that does not exist.`);
      }
      if (found.problem !== undefined) return refuse(describeFailure(input, found.problem));
      const obstacle = await findObstacle(input, found, { ...options, flavour });
      if (obstacle !== undefined) return refuse(obstacle);
    }
    const exists = missing.length === 0;
    const alsoNamed =
      exists && place ? await findOtherNames(complete, names, { places, fileSystem, flavour }) : undefined;
    return {
      ok: true,
      path: {
        path: opened,
        realPath: complete,
        ...names,
        exists,
        ...(alsoNamed && { alsoNamed }),
        ...(!isUnlinked && { unlinkedPath }),
      },
    };
  } catch (error) {
    return refuse(describeFailure(input, messageOf(error)));
  }
}

/** Systems that ignore case give the real path in the case that is stored. */
function isSamePath(one: string, other: string, platform: NodeJS.Platform): boolean {
  const key = (text: string): string => (platform === 'linux' ? text : text.toLowerCase());
  return key(one) === key(other);
}

/** Looks at an approved path again right before its use. An error if it leads to another place than before. */
export async function guardAgain(target: GuardedPath, options: GuardOptions): Promise<Guarded> {
  const outside = target.pathInRoot === null ? 'mark' : 'refuse';
  const again = await guardPath(target.path, { ...options, outside, isApproved: true });
  if (!again.ok) return again;
  const { realPath, pathInRoot, exists } = again.path;
  if (realPath !== target.realPath || pathInRoot !== target.pathInRoot) {
    return refuse(
      `"${target.displayPath}" leads to another place than when it was checked. Nothing was done. Try again.`,
    );
  }
  if (isReadingProtected(again.path) && !isReadingProtected(target)) {
    return refuse(`"${target.displayPath}" is now another name of a protected file. Nothing was done. Try again.`);
  }
  if (target.exists && !exists) return refuse(`"${target.displayPath}" does not exist any more. Nothing was done.`);
  return again;
}

interface Existing {
  /** The target or its nearest existing folder, with links. */
  readonly path: string;
  readonly realPath: string;
  /** The names below it that do not exist yet, or cannot be looked at. */
  readonly missing: readonly string[];
  /** Why something below it cannot be looked at. */
  readonly problem?: string | undefined;
  /** The first link on the way whose target does not exist or cannot be looked at. */
  readonly brokenLink?: string | undefined;
}

async function findExisting(
  target: string,
  fileSystem: PathLookup,
  flavour: PathFlavour,
  links = 0,
): Promise<Existing | undefined> {
  const missing: string[] = [];
  let problem: string | undefined;
  for (let current = target; ; current = flavour.dirname(current)) {
    try {
      const realPath = await fileSystem.realPath(current);
      if (realPath !== undefined) {
        return await followBroken({ path: current, realPath, missing, problem }, { fileSystem, flavour, links });
      }
    } catch (error) {
      problem ??= messageOf(error);
    }
    if (current === flavour.dirname(current)) return undefined;
    missing.unshift(flavour.basename(current));
  }
}

/** As many links as systems follow. */
const MAX_LINKS = 40;

/**
 * Where a link leads whose target cannot be found. What it names may be outside, and whether that exists must not be
 * told. On Windows a link may name another machine, so it is not followed.
 */
async function followBroken(
  existing: Existing,
  {
    fileSystem,
    flavour,
    links,
  }: { readonly fileSystem: PathLookup; readonly flavour: PathFlavour; readonly links: number },
): Promise<Existing> {
  const [name, ...rest] = existing.missing;
  if (name === undefined || flavour.sep === '\\' || links >= MAX_LINKS) return existing;
  const link = await fileSystem.readLink?.(flavour.join(existing.realPath, name));
  if (link === undefined) return existing;
  const target = flavour.join(flavour.resolve(existing.realPath, link), ...rest);
  const found = await findExisting(target, fileSystem, flavour, links + 1);
  const problem = existing.problem ?? found?.problem;
  return found ? { ...found, brokenLink: problem === undefined ? name : undefined, problem } : existing;
}

/** Why the target cannot be used or created. */
async function findObstacle(
  input: string,
  { path: existing, realPath, missing }: Existing,
  { roots, fileSystem, flavour }: GuardOptions & { readonly flavour: PathFlavour },
): Promise<string | undefined> {
  const stat = await fileSystem.stat(realPath);
  if (!stat) return `"${input}" disappeared while it was checked. Try again.`;
  if (stat.kind === 'other') {
    return `"${input}" is a device, pipe or socket. Only regular files and folders can be used.`;
  }
  const [firstMissing] = missing;
  if (firstMissing === undefined) return undefined;
  if (stat.kind === 'file') {
    return `"${displayPath(existing, roots, flavour)}" is a file, so there is nothing below it.`;
  }
  const shortName = flavour.sep === '\\' ? missing.find(looksLikeShortName) : undefined;
  if (shortName !== undefined) return `"${shortName}" could be the short name of another file. Use the full name.`;
  const entries = await fileSystem.listDirectory(realPath);
  const isLink = entries.some((entry) => entry.name === firstMissing && entry.isSymbolicLink);
  return isLink ? `"${input}" goes through "${firstMissing}", a link to something that does not exist.` : undefined;
}

/** The protected names that a file of the workspace has besides its own; see `GuardedPath.alsoNamed`. */
async function findOtherNames(
  realPath: string,
  names: Pick<GuardedPath, 'displayPath' | 'pathInRoot'>,
  {
    places,
    fileSystem,
    flavour,
  }: { readonly places: readonly Place[]; readonly fileSystem: PathLookup; readonly flavour: PathFlavour },
): Promise<GuardedPath['alsoNamed']> {
  if (!fileSystem.protectedLinks || isReadingProtected(names)) return undefined;
  const tops = places.map((place) => place.realPath);
  const links = await fileSystem.protectedLinks(realPath, tops);
  if (!links.isComplete) return 'unknown';
  const relative = links.names.map((name) => {
    const top = tops.findLast((folder) => isInside(name, folder, flavour)) ?? flavour.dirname(name);
    return flavour.relative(top, name).split(flavour.sep).join('/');
  });
  return relative.length > 0 ? relative : undefined;
}

/** A workspace folder that exists. */
interface Place {
  readonly root: Root;
  readonly realPath: string;
}

/** The folders, outer ones first. So the last folder that contains a path is the nearest. */
async function findPlaces(roots: readonly Root[], fileSystem: PathLookup): Promise<readonly Place[]> {
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

function describeFailure(input: string, problem: string): string {
  return `"${input}" cannot be used: ${problem}`;
}

function describeSystemPath(input: string): string {
  return `"${input}" is not a file to work on: it belongs to the devices or processes of the operating system.`;
}
