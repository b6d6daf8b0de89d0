import type { McpPlan } from '../../mcp/mcpPlan';
import type { WorkspacePlan } from '../../workspace/plans';

/** What can be decided about: the plans of the agent's own tools and those of servers' tools. */
export type ApprovablePlan = WorkspacePlan | McpPlan;
