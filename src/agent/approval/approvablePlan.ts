import type { McpPlan } from '../../mcp/mcpPlan';
import type { ExtensionPlan } from '../extensionTools/extensionPlan';
import type { WorkspacePlan } from '../../workspace/plans';

/** What can be decided about: the plans of the agent's own tools, and those of tools of servers and other extensions. */
export type ApprovablePlan = WorkspacePlan | McpPlan | ExtensionPlan;
