import path from 'node:path';
import { mapInSlices } from '../../util/slices/mapInSlices';
import { Slices } from '../../util/slices/slices';
import { sortInSlices } from '../../util/slices/sortInSlices';
import { boundedDistance, StepBudget } from '../edits/matchers/boundedDistance';
import type { GuardOptions } from '../paths/guardPath';
import { holdsSecrets } from '../paths/protectedPaths';
import type { GuardedPath } from '../plans';
import type { PathLookup } from '../ports';
import { displayPath } from '../paths/roots';

const MAX_SUGGESTIONS = 3;
/** Keeps the search fast in a big repository. */
const MAX_FOLDERS = 200;
/** For comparing two names. */
const MAX_STEPS = 100_000;
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Display paths that a model may have meant by a path that does not exist, the most likely first. */
export async function findPathsLike(
  missing: GuardedPath,
  { roots, fileSystem }: GuardOptions,
): Promise<readonly string[]> {
  const wanted = path.basename(missing.path);
  const folder = path.dirname(missing.path);
  const beside = await mapInSlices(await namesIn(folder, fileSystem), ({ name }) => ({
    file: path.join(folder, name),
    rank: rankName(name, wanted),
  }));
  const elsewhere: { readonly file: string; readonly rank: number }[] = [];
  for (const root of roots) {
    for (const file of await findByName(root.path, wanted, fileSystem)) elsewhere.push({ file, rank: 1 });
  }
  const ranked = await sortInSlices(beside.concat(elsewhere), (a, b) => (a.rank ?? NO_RANK) - (b.rank ?? NO_RANK));
  const found = new Set<string>();
  for (const { file, rank } of ranked) {
    if (rank === undefined || found.size === MAX_SUGGESTIONS) break;
    found.add(displayPath(file, roots));
  }
  return [...found];
}

/** Above every rank. */
const NO_RANK = 1_000_000;

/** How similar a name is to the wanted one: 0 the most similar, `undefined` not similar. */
function rankName(name: string, wanted: string): number | undefined {
  const [a, b] = [name.toLowerCase(), wanted.toLowerCase()];
  if (a === b) return 0;
  if (path.parse(a).name === path.parse(b).name) return 2;
  const limit = Math.max(2, Math.floor(b.length / 4)) + 1;
  const distance = boundedDistance(a, b, limit, new StepBudget(MAX_STEPS));
  return distance < limit ? 2 + distance : undefined;
}

/** Files and folders of that name below a folder, the shallowest first. */
async function findByName(root: string, wanted: string, fileSystem: PathLookup): Promise<readonly string[]> {
  const found: string[] = [];
  const slices = new Slices();
  const folders = [root];
  for (let visited = 0; visited < MAX_FOLDERS && visited < folders.length; visited++) {
    const folder = folders[visited] as string;
    for (const { name, kind, isSymbolicLink } of await namesIn(folder, fileSystem)) {
      if (slices.isOver()) await slices.pause();
      if (name.toLowerCase() === wanted.toLowerCase()) found.push(path.join(folder, name));
      if (kind !== 'directory' || isSymbolicLink || SKIPPED.has(name)) continue;
      if (!holdsSecrets(path.relative(root, path.join(folder, name)))) folders.push(path.join(folder, name));
    }
    if (found.length >= MAX_SUGGESTIONS) break;
  }
  return found;
}

async function namesIn(
  folder: string,
  fileSystem: PathLookup,
): Promise<Awaited<ReturnType<PathLookup['listDirectory']>>> {
  try {
    return await fileSystem.listDirectory(folder);
  } catch {
    // The folder does not exist or cannot be read.
    return [];
  }
}
