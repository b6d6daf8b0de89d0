import type { SessionEntry } from '../../sdk/session/entries';
import { guardPath } from '../../workspace/paths/guardPath';
import type { FileSystem, Root } from '../../workspace/ports';

/** The newest files that are looked at, and the folders above them. */
const MAX_TOUCHED = 50;
const MAX_FOLDERS = 100;
const MAX_PATH = 500;
/** Folders with the files of others, which are not about this project. Some file systems ignore case. */
export const FOREIGN = /(?:^|\/)(?:\.git|node_modules|bower_components|vendor|site-packages|\.?venv)(?:\/|$)/i;
const TOUCHING: ReadonlySet<string> = new Set(['read_file', 'apply_edit', 'write_file']);

/** The files that the agent has read or changed in a branch of a session, as the model named them, the newest first. */
export function touchedFiles(branch: readonly SessionEntry[]): readonly string[] {
  const succeeded = new Set<string>();
  const touched = new Set<string>();
  for (let index = branch.length - 1; index >= 0 && touched.size < MAX_TOUCHED; index--) {
    const entry = branch[index]!;
    if (entry.type === 'tool_result' && entry.outcome === 'succeeded') succeeded.add(entry.toolUseId);
    if (entry.type !== 'tool_call' || !TOUCHING.has(entry.toolName) || !succeeded.has(entry.toolUseId)) continue;
    const { path } = entry.input;
    if (typeof path === 'string' && path.length <= MAX_PATH) touched.add(path);
  }
  return [...touched];
}

export interface NestedPlace {
  /** The `AGENTS.md` that a folder may have, as people and models know it. */
  readonly file: string;
  readonly folder: string;
}

/** The folders between these files and their workspace folders, which are left out. The outer ones come first. */
export async function nestedPlaces(
  touched: readonly string[],
  { roots, fileSystem }: { readonly roots: readonly Root[]; readonly fileSystem: FileSystem },
): Promise<readonly NestedPlace[]> {
  const folders = new Set<string>();
  for (const file of touched) {
    const guarded = await guardPath(file, { roots, fileSystem });
    if (!guarded.ok || guarded.path.pathInRoot === null) continue;
    const parts = guarded.path.displayPath.split('/');
    // With several workspace folders a path begins with the name of one.
    for (let length = roots.length === 1 ? 1 : 2; length < parts.length && folders.size < MAX_FOLDERS; length++)
      folders.add(parts.slice(0, length).join('/'));
  }
  // A name with other characters could leave its line of the message.
  const plain = [...folders].filter((folder) => !/[\p{Cc}`]/u.test(folder) && !folder.includes(' in the repository'));
  const own = plain.filter((folder) => !FOREIGN.test(folder));
  return own.toSorted((a, b) => a.length - b.length).map((folder) => ({ folder, file: `${folder}/AGENTS.md` }));
}
