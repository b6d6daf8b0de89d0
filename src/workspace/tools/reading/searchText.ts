import path from 'node:path';
import type { Preparation, ToolOutput } from '../../../sdk/tool';
import { matchesInCells } from '../../notebooks/notebookMatches';
import type { GuardedPath, ReadPlan } from '../../plans';
import type { TextMatch } from '../../ports';
import { isReadingProtected } from '../../paths/protectedPaths';
import { displayPath } from '../../paths/roots';
import { findGlobProblem } from '../../search/globs';
import { compilePattern } from '../../search/searchPattern';
import { searchUnprotected } from './searchUnprotected';
import { find, findMoveOf, type PathAccess, type WorkspaceAccess } from '../workspaceAccess';
import { searchTextDeclaration } from '../declarations/searchText';
import { workspaceTool } from '../workspaceTool';
import { messageOf } from '../../../util/errors';

const MAX_MATCHES = 100;
const MAX_CHARS = 16_000;

interface SearchQuery {
  readonly pattern: string;
  readonly include: string | undefined;
  readonly isRegex: boolean;
  readonly isCaseSensitive: boolean;
  /** Workspace folders to search after the plan's target. */
  readonly alsoIn: readonly GuardedPath[];
}

export const createSearchTextTool = workspaceTool(searchTextDeclaration, {
  async prepare(
    { pattern, path: input, glob: include, is_regex = false, ...rest },
    access,
  ): Promise<Preparation<ReadPlan>> {
    // Understood without being described: models seldom need it, and each parameter costs tokens in every request.
    const { case_sensitive } = rest as { readonly case_sensitive?: unknown };
    const isCaseSensitive = case_sensitive === true || case_sensitive === 'true';
    const compiled = compilePattern({ pattern, isRegex: is_regex, isCaseSensitive });
    if (!compiled.ok) return compiled;
    const globProblem = include === undefined ? undefined : findGlobProblem(include);
    if (globProblem !== undefined) return { ok: false, error: globProblem };
    const isTop = input === undefined || input === '' || input === '.';
    const targets: GuardedPath[] = [];
    for (const place of isTop ? topFolders(access) : [input]) {
      const found = await find(place, access);
      if (!found.ok) return found;
      targets.push(found.target);
    }
    const [target, ...alsoIn] = targets;
    if (!target) return { ok: false, error: 'No folder is open, so there is nothing to search.' };
    const query: SearchQuery = {
      pattern,
      include: include === '' ? undefined : include,
      isRegex: is_regex,
      isCaseSensitive,
      alsoIn,
    };
    return { ok: true, plan: { kind: 'read', target, query } };
  },
  run: (plan, access, { signal }) => search(plan, access, signal),
});

function topFolders(access: PathAccess): readonly string[] {
  return access.roots().map((root) => root.path);
}

async function search({ target, query }: ReadPlan, access: WorkspaceAccess, signal: AbortSignal): Promise<ToolOutput> {
  const { pattern, include, isRegex, isCaseSensitive, alsoIn } = query as SearchQuery;
  const matches: TextMatch[] = [];
  let isCut = false;
  const partial: string[] = [];
  for (const place of [target, ...alsoIn]) {
    if (isCut) break;
    const moved = await findMoveOf(place, access);
    if (moved !== undefined) return { content: moved, isError: true };
    const { realPath } = place;
    const maxMatches = MAX_MATCHES - matches.length;
    const textQuery = { pattern, include, isRegex, isCaseSensitive, path: realPath, maxMatches };
    try {
      // If a person allowed this place, all of it is searched.
      const outcome = isReadingProtected(place)
        ? await access.ports.textSearch.search(textQuery, { signal })
        : await searchUnprotected(textQuery, place, access, signal);
      matches.push(...outcome.matches.map((match) => ({ ...match, path: asAskedFor(match.path, place) })));
      isCut = outcome.isCut;
      if (outcome.filesSearched !== undefined) partial.push(describePartial(place, outcome.filesSearched));
    } catch (error) {
      signal.throwIfAborted();
      return { content: `The search failed: ${messageOf(error)}`, isError: true };
    }
  }
  const shown = await matchesInCells(matches, pattern, access.ports);
  signal.throwIfAborted();
  if (shown.leftOut > 0) partial.push(`[${shown.leftOut} in outputs and metadata of notebooks left out.]`);
  if (shown.matches.length > 0) {
    return { content: [describeMatches(shown.matches, isCut, access), ...partial].join('\n') };
  }
  const where =
    target.displayPath === '.' ? 'the workspace' : [target, ...alsoIn].map((place) => place.displayPath).join(', ');
  const filter = include === undefined ? '' : ` in files like ${include}`;
  return {
    content: [
      `No match for ${JSON.stringify(pattern)} in ${where}${filter}. ${nextStep(pattern, isRegex)}`.trim(),
      ...partial,
    ].join('\n'),
  };
}

function describePartial({ displayPath: folder }: GuardedPath, count: number): string {
  const where = folder === '.' ? 'the workspace' : folder;
  return `[Only ${count} files of ${where} were searched, because reading it is slow. Give a subfolder as path.]`;
}

/** Replaces the real path of the folder by the path that was asked for. */
function asAskedFor(file: string, { path: asked, realPath }: GuardedPath): string {
  return path.join(asked, path.relative(realPath, file));
}

function nextStep(pattern: string, isRegex: boolean): string {
  if (!isRegex && /[\\|*+^$[\]]|\.\?/.test(pattern))
    return 'The pattern was searched literally. Set is_regex for a regular expression.';
  return 'Ignored, binary, very big and protected files (such as .env) were not searched.';
}

function describeMatches(matches: readonly TextMatch[], isCut: boolean, access: WorkspaceAccess): string {
  const parts: string[] = [];
  let length = 0;
  let shown = 0;
  let file: string | undefined;
  for (const match of matches) {
    const heading = match.path === file ? [] : [displayPath(match.path, access.roots())];
    const lines = [...heading, `${match.line}: ${match.text}`];
    length += lines.reduce((sum, line) => sum + line.length + 1, 0);
    if (length > MAX_CHARS) break;
    parts.push(...lines);
    file = match.path;
    shown++;
  }
  if (shown < matches.length || isCut) {
    const count = isCut ? `more than ${matches.length}` : String(matches.length);
    parts.push(`[${shown} of ${count} matches shown. Narrow the search with path, glob or a longer pattern.]`);
  }
  return parts.join('\n');
}
