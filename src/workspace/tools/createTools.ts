import type { Tool } from '../../sdk/tool';
import type { Root, WorkspacePorts } from '../ports';
import { withDistinctNames } from '../paths/roots';
import { createApplyEditTool } from './edits/applyEdit';
import { createFindSymbolTool } from './navigation/findSymbol';
import { createGetDiagnosticsTool } from './reading/getDiagnostics';
import { createListDirectoryTool } from './reading/listDirectory';
import { createReadFileTool } from './reading/readFile';
import { createRunTerminalCommandTool } from './commands/runTerminalCommand';
import { createSearchTextTool } from './reading/searchText';
import type { CommandOptions, WorkspaceAccess } from './workspaceAccess';
import { createWriteFileTool } from './edits/writeFile';

export interface ToolSetup {
  readonly ports: WorkspacePorts;
  readonly roots: () => readonly Root[];
  /** Read at each call. Absent: commands run unconfined, and in no terminal. */
  readonly commandOptions?: (() => CommandOptions) | undefined;
}

/** The coding tools, always in the same order, because each request begins with them. Reads `roots` at each call. */
export function createTools(setup: ToolSetup): Tool[] {
  const access: WorkspaceAccess = {
    ports: setup.ports,
    roots: () => withDistinctNames(setup.roots()),
    commandOptions: setup.commandOptions ?? (() => ({ inTerminal: false })),
  };
  const { codeNavigation, diagnostics } = setup.ports;
  return [
    createReadFileTool(access),
    createListDirectoryTool(access),
    createSearchTextTool(access),
    ...(diagnostics ? [createGetDiagnosticsTool(access)] : []),
    createApplyEditTool(access),
    createWriteFileTool(access),
    createRunTerminalCommandTool(access),
    // Last, because it comes and goes.
    ...(codeNavigation ? [createFindSymbolTool(access)] : []),
  ];
}
