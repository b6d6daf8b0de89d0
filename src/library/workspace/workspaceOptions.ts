import type { PreToolUseHook } from '../../sdk/hooks';
import type { Signal } from '../../sdk/platform';
import type { Tool } from '../../sdk/tool';
import type { GrammarSource } from '../../workspace/shell/parse/grammarSource';
import type { ApprovalAnswer, ApprovalQuestion } from './approvalQuestion';
import type { ApprovalRules } from './approvalRules';
import type { PermissionMode } from './permissionMode';
import type { WorkspacePorts } from './workspacePorts';

/** The options of `openWorkspace`. */
export interface WorkspaceOptions {
  /** How the tools reach the world. Default: `createNodePorts()`. */
  readonly ports?: WorkspacePorts | undefined;
  /**
   * `plan`: the agent only reads. `ask`: it reads, and the rest asks. `acceptEdits`: ordinary edits in the folders run as well.
   * Default: `ask`. A function is read anew for every call.
   */
  readonly mode?: PermissionMode | (() => PermissionMode) | undefined;
  /** Rules that stand above the mode. */
  readonly rules?: ApprovalRules | undefined;
  /** Decides about a call that asks. Absent: such a call is denied. When it rejects, the call is denied. */
  readonly ask?:
    ((question: ApprovalQuestion, options: { readonly signal: Signal }) => Promise<ApprovalAnswer>) | undefined;
  /**
   * The grammars of `@vscode/tree-sitter-wasm`, with which commands are read before they run. Absent: every command asks, and rules
   * about commands are refused.
   */
  readonly shellGrammars?: GrammarSource | undefined;
  /** The program's other tools that run without a decision of the hook. The hook denies the calls of all further tools. */
  readonly trustedTools?: readonly string[] | undefined;
}

/** The coding tools on some folders, and the hook that decides about their calls. */
export interface Workspace {
  /** `read_file`, `list_directory`, `search_text`, `apply_edit`, `write_file`, `run_terminal_command`. */
  readonly tools: readonly Tool[];
  /**
   * For the option `approvalHook` of a client. Decides as `mode`, `rules` and the protection of files say, and calls `ask` where a
   * person must decide. Knows the calls of `tools` and of MCP servers. Every failure denies.
   */
  readonly approvalHook: PreToolUseHook;
}
