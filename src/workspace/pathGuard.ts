import path from 'node:path';
import type { GuardedPath } from './plans';
import type { FileSystem, Root } from './ports';
import { findPathProblem, isSystemPath } from './pathSyntax';
import { describeRoots, displayPath, isInside, resolveInRoots } from './roots';

export type Guarded =
  { readonly ok: true; readonly path: GuardedPath } | { readonly ok: false; readonly error: string };

export interface GuardOptions {
  /** With distinct names; see `withDistinctNames`. */
  readonly roots: readonly Root[];
  readonly fileSystem: FileSystem;
}

/**
 * Decides whether a path a model gave lies in the workspace, by the real path of the target or of its nearest existing
 * ancestor. Refused: everything outside, links that lead outside, nowhere or in circles, devices, pipes and sockets,
 * URIs, `~`. Whatever cannot be determined is refused. The error is written for the model.
 */
export async function guardPath(input: string, { roots, fileSystem }: GuardOptions): Promise<Guarded> {
  const problem = findPathProblem(input, process.platform);
  if (problem !== undefined) return { ok: false, error: problem };
  const resolved = resolveInRoots(input, roots);
  if (!resolved.ok) return resolved;
  const target = resolved.path;

  try {
    const realRoots = await findRealRoots(roots, fileSystem);
    const known = [...roots, ...realRoots];
    const isInRoots = (candidate: string, among: readonly Root[]): boolean =>
      among.some((root) => isInside(candidate, root.path));
    // Kernel paths such as /proc/self/root lead back into the workspace; they are refused all the same.
    if (isSystemPath(target) && !isInRoots(target, known)) return { ok: false, error: describeOutside(input, roots) };

    const found = await findExisting(target, fileSystem);
    if (!found || !isInRoots(found.realPath, realRoots)) return { ok: false, error: describeOutside(input, roots) };
    const { realPath, missing } = found;

    const stat = await fileSystem.stat(realPath);
    if (!stat) return { ok: false, error: `"${input}" disappeared while it was looked up. Try again.` };
    if (stat.kind === 'other') {
      return {
        ok: false,
        error: `"${input}" is a device, pipe or socket. Only regular files and folders can be used.`,
      };
    }
    const firstMissing = missing[0];
    if (firstMissing !== undefined) {
      if (stat.kind === 'file') {
        return {
          ok: false,
          error: `"${displayPath(found.path, roots)}" is a file, so there is nothing below it.`,
        };
      }
      const entries = await fileSystem.listDirectory(realPath);
      if (entries.some((entry) => entry.name === firstMissing && entry.isSymbolicLink)) {
        return {
          ok: false,
          error: `"${input}" goes through "${firstMissing}", a link to something that does not exist.`,
        };
      }
    }
    const completeRealPath = path.join(realPath, ...missing);
    const asOpened = isInRoots(target, roots) ? target : toOpenedPath(completeRealPath, roots, realRoots);
    return {
      ok: true,
      path: {
        path: asOpened,
        realPath: completeRealPath,
        displayPath: displayPath(asOpened, roots),
        exists: firstMissing === undefined,
      },
    };
  } catch (error) {
    return { ok: false, error: `"${input}" cannot be used: ${error instanceof Error ? error.message : String(error)}` };
  }
}

interface Existing {
  /** The target or its nearest existing ancestor, as asked for. */
  readonly path: string;
  readonly realPath: string;
  /** What is below that and does not exist yet. */
  readonly missing: readonly string[];
}

async function findExisting(target: string, fileSystem: FileSystem): Promise<Existing | undefined> {
  const missing: string[] = [];
  for (let current = target; ; current = path.dirname(current)) {
    const realPath = await fileSystem.realPath(current);
    if (realPath !== undefined) return { path: current, realPath, missing };
    if (current === path.dirname(current)) return undefined;
    missing.unshift(path.basename(current));
  }
}

/** A path below a folder's real path, as it looks below the folder the person opened, which may be a link. */
function toOpenedPath(realPath: string, roots: readonly Root[], realRoots: readonly Root[]): string {
  const realRoot = realRoots.find((root) => isInside(realPath, root.path));
  const opened = roots.find((root) => root.name === realRoot?.name);
  return realRoot && opened ? path.join(opened.path, path.relative(realRoot.path, realPath)) : realPath;
}

async function findRealRoots(roots: readonly Root[], fileSystem: FileSystem): Promise<readonly Root[]> {
  const found = await Promise.all(
    roots.map(async (root) => ({ name: root.name, path: await fileSystem.realPath(root.path) })),
  );
  return found.flatMap(({ name, path: realPath }) => (realPath === undefined ? [] : [{ name, path: realPath }]));
}

function describeOutside(input: string, roots: readonly Root[]): string {
  return `"${input}" is outside the workspace. Only files in the workspace can be used: ${describeRoots(roots)}.`;
}

/**
 * Looks again, right before a side effect: the error when a path does not lead to where it led when it was approved,
 * `undefined` when it still does.
 */
export async function findMove(target: GuardedPath, options: GuardOptions): Promise<string | undefined> {
  const again = await guardPath(target.path, options);
  if (!again.ok) return again.error;
  if (again.path.realPath === target.realPath) return undefined;
  return `"${target.displayPath}" leads to another place than when it was looked at. Nothing was done. Try again.`;
}
