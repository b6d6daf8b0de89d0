/** `open-agent-sdk/workspace`: the coding tools, their ports, and the approval rules as a hook. */
export type { McpPlan } from '../../mcp/mcpPlan';
export type { MatchKind } from '../../workspace/edits/matchKind';
export type { CommandPlan, EditPlan, GuardedPath, ReadPlan, WorkspacePlan } from '../../workspace/plans';
export type {
  CommandOutcome,
  CommandRequest,
  CommandRunner,
  Confinement,
  DirectoryEntry,
  FileKind,
  FileStat,
  FileSystem,
  OpenText,
  ProtectedLinks,
  Root,
  TextMatch,
  TextQuery,
  TextSearch,
  TextSearchOutcome,
} from '../../workspace/ports';
export { ReadOnlyFileError, StaleFileError, TextDecodeError } from '../../workspace/ports';
export type { GrammarSource } from '../../workspace/shell/parse/grammarSource';
export type { ApprovalAnswer, ApprovalQuestion } from './approvalQuestion';
export type { ApprovalRules } from './approvalRules';
export { createNodePorts } from './nodePorts';
export type { PermissionMode } from './permissionMode';
export { openWorkspace } from './openWorkspace';
export type { Workspace, WorkspaceOptions } from './workspaceOptions';
export type { WorkspacePorts } from './workspacePorts';
