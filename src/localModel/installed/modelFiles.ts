import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import type { FoundModelFile } from './foundModelFile';
import { findOllamaModels } from './ollamaModels';
import type { MachineEnvironment } from './programs';

const MAX_DEPTH = 6;
const MAX_FOLDERS = 2_000;
const MAX_FILES = 200;
/** Smaller files of other programs are vocabularies and projectors. */
const MIN_BYTES = 40_000_000;

export interface FindOptions extends MachineEnvironment {
  /** Where Open Agent keeps its own. */
  readonly own: string;
}

/** Looks for model files in the folders where programs keep them. Reads only names and sizes, of a bounded number of folders. */
export async function findModelFiles(options: FindOptions): Promise<readonly FoundModelFile[]> {
  const { env, home } = options;
  const files: FoundModelFile[] = [];
  for (const [from, folder] of modelFolders(options)) {
    const budget = { folders: MAX_FOLDERS, files: MAX_FILES };
    await walk(folder, from, MAX_DEPTH, budget, files);
  }
  const ollama = env['OLLAMA_MODELS'] ?? path.join(home, '.ollama', 'models');
  files.push(...(await findOllamaModels(ollama)));
  return unique(files);
}

function modelFolders({
  platform,
  env,
  home,
  own,
}: FindOptions): readonly (readonly [FoundModelFile['from'], string])[] {
  const local = env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local');
  const cache =
    platform === 'win32'
      ? local
      : platform === 'darwin'
        ? path.join(home, 'Library', 'Caches')
        : (env['XDG_CACHE_HOME'] ?? path.join(home, '.cache'));
  const huggingFace =
    env['HF_HUB_CACHE'] ?? path.join(env['HF_HOME'] ?? path.join(home, '.cache', 'huggingface'), 'hub');
  return [
    ['Open Agent', path.join(own, 'models')],
    ['llama.cpp', env['LLAMA_CACHE'] ?? path.join(cache, 'llama.cpp')],
    ['Hugging Face', huggingFace],
    ['LM Studio', path.join(home, '.lmstudio', 'models')],
    ['LM Studio', path.join(home, '.cache', 'lm-studio', 'models')],
    ['Jan', path.join(home, 'jan', 'models')],
  ];
}

async function walk(
  folder: string,
  from: FoundModelFile['from'],
  depth: number,
  budget: { folders: number; files: number },
  found: FoundModelFile[],
): Promise<void> {
  budget.folders -= 1;
  if (budget.folders < 0) return;
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (budget.files <= 0) return;
    const file = path.join(folder, entry.name);
    // The cache of Hugging Face holds links to its files; a link to a folder is not followed.
    if (entry.isDirectory() && depth > 0) await walk(file, from, depth - 1, budget, found);
    else if (isWholeModel(entry.name) && (entry.isFile() || entry.isSymbolicLink())) {
      const bytes = await sizeOf(file);
      if (bytes < (from === 'Open Agent' ? 1 : MIN_BYTES)) continue;
      budget.files -= 1;
      found.push({ file, name: entry.name.replace(/\.gguf$/i, ''), bytes, from });
    }
  }
}

/** Models in several files, projectors and vocabularies cannot be started by themselves. */
function isWholeModel(name: string): boolean {
  return /\.gguf$/i.test(name) && !/^mmproj|[-_.]mmproj[-_.]|ggml-vocab|-\d{5}-of-\d{5}/i.test(name);
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found?.isFile() ? found.size : 0;
}

/** The same file by two names counts once. */
async function unique(files: readonly FoundModelFile[]): Promise<readonly FoundModelFile[]> {
  const byPath = new Map<string, FoundModelFile>();
  for (const one of files) {
    const real = await realpath(one.file).catch(() => one.file);
    if (!byPath.has(real)) byPath.set(real, one);
  }
  return [...byPath.values()];
}
