import type { Preparation, ToolOutput } from '../../../sdk/tool';
import { guardPath } from '../../paths/guardPath';
import { isReadingProtected } from '../../paths/protectedPaths';
import type { GuardedPath, ReadPlan } from '../../plans';
import { find, findMoveOf, type WorkspaceAccess } from '../workspaceAccess';
import { getDiagnosticsDeclaration } from '../declarations/getDiagnostics';
import { workspaceTool } from '../workspaceTool';
import { describeFile, describeFiles, type FileProblems } from './describeProblems';

/** More files are not looked at: each costs several calls of the file system. */
const MAX_FILES = 500;

interface ProblemQuery {
  /** The folders whose files count. Absent: the target is a file, or it is not known what it is. */
  readonly folders?: readonly GuardedPath[] | undefined;
}

/** Reads what language servers and linters report about a file, a folder or the whole workspace. */
export const createGetDiagnosticsTool = workspaceTool(getDiagnosticsDeclaration, {
  async prepare({ path = '' }, access): Promise<Preparation<ReadPlan>> {
    const isTop = ['', '.', './', '/'].includes(path.trim());
    const places = isTop ? access.roots().map((root) => root.path) : [path];
    const folders: GuardedPath[] = [];
    for (const place of places) {
      const found = await find(place, access);
      if (!found.ok) return found;
      const query: ProblemQuery = {};
      if (found.stat?.kind !== 'directory') return { ok: true, plan: { kind: 'read', target: found.target, query } };
      folders.push(found.target);
    }
    const [target] = folders;
    if (!target) return { ok: false, error: 'No folder is open, so there are no problems to read.' };
    const query: ProblemQuery = { folders };
    return { ok: true, plan: { kind: 'read', target, query } };
  },
  async run({ target, query }, access, { signal }): Promise<ToolOutput> {
    const { folders } = query as ProblemQuery;
    for (const place of folders ?? [target]) {
      const moved = await findMoveOf(place, access);
      if (moved !== undefined) return { content: moved, isError: true };
    }
    return { content: await (folders ? inFolders(folders, access, signal) : inFile(target, access, signal)) };
  },
});

async function inFile(
  { path, displayPath }: GuardedPath,
  { ports, problems }: WorkspaceAccess,
  signal: AbortSignal,
): Promise<string> {
  const found = (await ports.diagnostics?.read(path, { signal })) ?? [];
  if (found.length === 0) return `No problems are reported in ${displayPath}.`;
  return describeFile({ displayPath, ...(problems?.split(path, found) ?? { fresh: [], older: found }) });
}

/** An editor knows the problems of any file, so protected files and files outside the workspace are left out here. */
async function inFolders(
  folders: readonly GuardedPath[],
  { ports, roots, problems }: WorkspaceAccess,
  signal: AbortSignal,
): Promise<string> {
  const { fileSystem, diagnostics } = ports;
  const files: FileProblems[] = [];
  let looked = 0;
  for (const [path, found] of diagnostics?.known() ?? []) {
    if (found.length === 0) continue;
    if (++looked > MAX_FILES) break;
    const guarded = await guardPath(path, { roots: roots(), fileSystem });
    signal.throwIfAborted();
    if (!guarded.ok || !guarded.path.exists || isReadingProtected(guarded.path)) continue;
    const { realPath, displayPath } = guarded.path;
    if (!folders.some((folder) => isBelow(realPath, folder.realPath))) continue;
    files.push({ displayPath, ...(problems?.split(path, found) ?? { fresh: [], older: found }) });
  }
  const where = folders.length === 1 && folders[0]?.pathInRoot !== '' ? ` in ${folders[0]?.displayPath}` : '';
  if (files.length === 0) return `No problems are reported${where}. Files that are not open may not have been checked.`;
  return describeFiles(files);
}

function isBelow(file: string, folder: string): boolean {
  return file.startsWith(folder) && (/[\\/]$/.test(folder) || /^[\\/]/.test(file.slice(folder.length)));
}
