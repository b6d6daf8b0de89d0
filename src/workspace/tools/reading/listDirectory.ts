import path from 'node:path';
import type { Preparation, ToolOutput } from '../../../sdk/tool';
import { mapInSlices } from '../../../util/slices/mapInSlices';
import { sortInSlices } from '../../../util/slices/sortInSlices';
import { isIgnored, levelsFor } from '../../search/ignoreRules';
import { readIgnoreFile } from '../../search/readIgnoreFile';
import type { GuardedPath, ReadPlan } from '../../plans';
import type { DirectoryEntry } from '../../ports';
import { guardPath } from '../../paths/guardPath';
import { isNameProtected } from '../../paths/protectedPaths';
import { isInside } from '../../paths/roots';
import { isVirtualPath } from '../../paths/virtualPaths';
import { findFolder, findMoveOf, type WorkspaceAccess } from '../workspaceAccess';
import { listDirectoryDeclaration } from '../declarations/listDirectory';
import { workspaceTool } from '../workspaceTool';

const MAX_ENTRIES = 300;

/** Lists one level of a folder. Ignored entries are listed too, and marked. */
export const createListDirectoryTool = workspaceTool(listDirectoryDeclaration, {
  async prepare({ path: input }, access): Promise<Preparation<ReadPlan>> {
    const showsRoots = isTop(input) && access.roots().length > 1;
    const found = await findFolder(isTop(input) ? '.' : input, access);
    if (!found.ok) return found;
    return { ok: true, plan: { kind: 'read', target: found.target, query: { showsRoots } } };
  },
  run: (plan, access) => {
    const { showsRoots } = plan.query as { readonly showsRoots: boolean };
    return showsRoots ? listRoots(access) : listFolder(plan, access);
  },
});

function isTop(input: string | undefined): input is undefined | '' | '.' | './' | '/' {
  return input === undefined || ['', '.', './', '/'].includes(input);
}

function listRoots(access: WorkspaceAccess): ToolOutput {
  const names = access.roots().map(({ name }) => `${name}/`);
  return { content: ['The workspace has several folders. Paths start with their names:', ...names].join('\n') };
}

async function listFolder({ target }: ReadPlan, access: WorkspaceAccess): Promise<ToolOutput> {
  const { fileSystem } = access.ports;
  const moved = await findMoveOf(target, access);
  if (moved !== undefined) return { content: moved, isError: true };
  const listed = await fileSystem.listDirectory(target.realPath);
  const described = await mapInSlices(listed, (entry) => describeEntry(entry, target, access));
  const entries = await sortInSlices(described, byKindAndName);
  if (entries.length === 0) return { content: `${target.displayPath} is an empty folder.` };

  const root = access.roots().find((candidate) => isInside(target.path, candidate.path));
  const levels = await levelsFor(root?.path ?? target.path, target.path, (file) => readIgnoreFile(file, fileSystem));
  const shown = entries.slice(0, MAX_ENTRIES).map((entry) => {
    const isFolder = entry.kind === 'directory';
    const marks = [...entry.marks];
    if (isIgnored(levels, path.join(target.path, entry.name), isFolder)) marks.push('ignored by git');
    return `${entry.name}${isFolder ? '/' : ''}${marks.length > 0 ? ` (${marks.join(', ')})` : ''}`;
  });
  const left = entries.length - shown.length;
  if (left > 0) shown.push(`[${left} more entries are not shown. Use search_text with glob, or a command such as ls.]`);
  return { content: [`${target.displayPath}:`, ...shown].join('\n') };
}

/** An entry as it is shown. Without `kind`: nothing is told of what it is. */
interface ShownEntry {
  readonly name: string;
  readonly kind?: DirectoryEntry['kind'];
  readonly marks: readonly string[];
}

function describeEntry(
  entry: DirectoryEntry,
  folder: GuardedPath,
  access: WorkspaceAccess,
): ShownEntry | Promise<ShownEntry> {
  if (entry.isSymbolicLink) return describeLink(entry, folder, access);
  const { name, kind } = entry;
  return { name, kind, marks: kind === 'other' ? ['not a regular file'] : [] };
}

/** A link that leads outside or into a folder of secrets tells nothing of what is there, not even whether it exists. */
async function describeLink(
  { name, kind }: DirectoryEntry,
  { path: folder, pathInRoot }: GuardedPath,
  { ports, roots }: WorkspaceAccess,
): Promise<ShownEntry> {
  // A person allowed to list this folder.
  if (pathInRoot === null) return { name, kind, marks: ['link'] };
  if (isVirtualPath(folder)) return { name, marks: ['link'] };
  const { fileSystem } = ports;
  const target = await guardPath(path.join(folder, name), { roots: roots(), fileSystem, outside: 'mark' });
  if (!target.ok) return { name, marks: ['link that cannot be followed'] };
  return isNameProtected(target.path) ? { name, marks: ['link'] } : { name, kind, marks: ['link'] };
}

function byKindAndName(a: ShownEntry, b: ShownEntry): number {
  const isFolder = (entry: ShownEntry): number => (entry.kind === 'directory' ? 0 : 1);
  return isFolder(a) - isFolder(b) || (a.name < b.name ? -1 : 1);
}
