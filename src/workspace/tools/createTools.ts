import type { ImagePart } from '../../sdk/messages';
import type { Tool } from '../../sdk/tool';
import type { Root, WorkspacePorts } from '../ports';
import { withDistinctNames } from '../paths/roots';
import { SessionProblems } from '../sessionProblems';
import { declaredTools } from './declarations/declaredTools';
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
  /** See `WorkspaceAccess`. */
  readonly takesImages?: (() => boolean) | undefined;
  /** See `WorkspaceAccess`. */
  readonly scaleImage?: ((image: ImagePart) => Promise<ImagePart>) | undefined;
  /** Absent: the session begins now. */
  readonly problems?: SessionProblems | undefined;
}

/** The coding tools, always in the same order, because each request begins with them. Reads `roots` at each call. */
export function createTools(setup: ToolSetup): Tool[] {
  const { diagnostics } = setup.ports;
  const access: WorkspaceAccess = {
    ports: setup.ports,
    roots: () => withDistinctNames(setup.roots()),
    commandOptions: setup.commandOptions ?? (() => ({ inTerminal: false })),
    takesImages: setup.takesImages,
    scaleImage: setup.scaleImage,
    problems: setup.problems ?? (diagnostics && new SessionProblems(diagnostics)),
  };
  return declaredTools(setup.ports).map(({ name }) => {
    const create = tools[name];
    if (!create) throw new Error(`Nothing does the work of ${name}.`);
    return create(access);
  });
}

/** By the name of the declaration. */
const tools: Readonly<Record<string, (access: WorkspaceAccess) => Tool>> = {
  read_file: createReadFileTool,
  list_directory: createListDirectoryTool,
  search_text: createSearchTextTool,
  get_diagnostics: createGetDiagnosticsTool,
  apply_edit: createApplyEditTool,
  write_file: createWriteFileTool,
  run_terminal_command: createRunTerminalCommandTool,
  find_symbol: createFindSymbolTool,
};
