import path from 'node:path';
import type { PathFlavour } from '../paths/roots';
import { isInside } from '../paths/roots';
import type { FileSystem } from '../ports';

/**
 * What a version manager lets files of the current folder decide. `anything`: `.tool-versions` and others can name a folder
 * (`path:` of asdf and mise), so `node --version` can run code of the workspace. `versions`: files such as
 * `.python-version` name an installed version. Releases of pyenv before 2.3.3 took a path there too (CVE-2022-35861).
 */
export type FolderDecides = 'anything' | 'versions';

/**
 * Known by the folder in which managers put the programs, or by the program that a link leads to. `undefined`: no version
 * manager starts the program. Scoop's programs are fixed when they are installed.
 */
export function findVersionManager(folder: string, realPath: string, flavour: PathFlavour): FolderDecides | undefined {
  const file = flavour.basename(realPath).replace(/\.(?:exe|cmd|bat|ps1)$/i, '');
  if (MANAGERS.has(file.toLowerCase())) return 'anything';
  const kinds = [folder, flavour.dirname(realPath)].map((place) => kindOfShims(place.toLowerCase().split(/[\\/]/)));
  return kinds.find((kind) => kind === 'anything') ?? kinds.find((kind) => kind !== undefined);
}

/** Whether the folder, or one above it in the workspace, decides something. Fails closed. */
export async function isDecidedByFolder(
  decides: FolderDecides,
  { cwd, rootPaths, fileSystem }: { cwd: string; rootPaths: readonly string[]; fileSystem: FileSystem },
  flavour: PathFlavour = path,
): Promise<boolean> {
  if (decides === 'anything') return true;
  for (let folder = cwd; rootPaths.some((root) => isInside(folder, root, flavour)); folder = flavour.dirname(folder)) {
    for (const name of VERSION_FILES) {
      if (!(await namesVersions(flavour.join(folder, name), fileSystem))) return true;
    }
    if (flavour.dirname(folder) === folder) break;
  }
  return false;
}

const MANAGERS: ReadonlySet<string> = new Set([
  'aqua-proxy',
  'asdf',
  'mise',
  'proto-shim',
  'rtx',
  'rustup',
  'vfox',
  'volta',
  'volta-shim',
]);

/** Managers that know numbers of versions only. */
const OF_VERSIONS = /^\.?(?:pyenv|rbenv|nodenv|goenv|jenv|pyenv-virtualenv)(?:-win)?$/;
const VERSION_FILES = ['.python-version', '.ruby-version', '.node-version', '.go-version', '.java-version'];
const MAX_BYTES = 2_000;

function kindOfShims(segments: readonly string[]): FolderDecides | undefined {
  if (isFolderOfManager(segments)) return 'anything';
  const index = segments.lastIndexOf('shims');
  const owner = segments[index - 1];
  if (index < 0 || owner === 'scoop') return undefined;
  return owner !== undefined && OF_VERSIONS.test(owner) ? 'versions' : 'anything';
}

/**
 * Folders whose programs are copies of the manager under other names, as Windows needs them, so no link tells of it: Volta's
 * (`Program Files\\Volta`, `Volta\\bin`, `.volta/bin`), aqua's, Nodist's and moonrepo's proto.
 */
function isFolderOfManager(segments: readonly string[]): boolean {
  const [above = '', last = ''] = segments.filter((name) => name !== '').slice(-2);
  return last === 'volta' || (MANAGERS_BINS.has(above.replace(/^\./, '')) && /^(?:bin|bat)$/.test(last));
}

const MANAGERS_BINS: ReadonlySet<string> = new Set(['aquaproj-aqua', 'nodist', 'proto', 'volta']);

async function namesVersions(file: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    if ((await fileSystem.stat(file)) === undefined) return true;
    const bytes = await fileSystem.readSlice(file, 0, MAX_BYTES + 1);
    const lines = Buffer.from(bytes).toString('utf8').split(/\r?\n/);
    return bytes.length <= MAX_BYTES && lines.every((line) => line === '' || /^\w[\w.+-]*$/.test(line));
  } catch {
    return false;
  }
}
