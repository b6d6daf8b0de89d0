import type { Preparation } from '../../../sdk/tool';
import type { ReadPlan } from '../../plans';
import { listProblems } from '../../problems';
import { findFile, findMoveOf, PATH_ALIASES } from '../workspaceAccess';
import { workspaceTool } from '../workspaceTool';

/** Reads what language servers and linters report about a file. */
export const createGetDiagnosticsTool = workspaceTool(
  'get_diagnostics',
  "A file's errors and warnings.",
  { path: 'string' },
  {
    async prepare({ path }, access): Promise<Preparation<ReadPlan>> {
      const found = await findFile(path, access);
      return found.ok ? { ok: true, plan: { kind: 'read', target: found.target, query: {} } } : found;
    },
    async run({ target }, access, { signal }) {
      const moved = await findMoveOf(target, access);
      if (moved !== undefined) return { content: moved, isError: true };
      const problems = (await access.ports.diagnostics?.read(target.path, { signal })) ?? [];
      if (problems.length === 0) return { content: `No problems are reported in ${target.displayPath}.` };
      return { content: `${target.displayPath}:\n${listProblems(problems)}` };
    },
  },
  { aliases: ['diagnostics', 'get_errors', 'read_lints', 'get_problems'], parameterAliases: PATH_ALIASES },
);
