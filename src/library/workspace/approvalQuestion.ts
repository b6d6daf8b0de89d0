import type { McpPlan } from '../../mcp/mcpPlan';
import type { WorkspacePlan } from '../../workspace/plans';

/** A question for the one who decides about a call. */
export interface ApprovalQuestion {
  /** The id of the call. */
  readonly toolUseId: string;
  readonly toolName: string;
  /** Exactly what runs if it is allowed: plain data. */
  readonly plan: WorkspacePlan | McpPlan;
  /** The plan for people: the diff, the command, the path or the arguments. Hidden characters are made visible. */
  readonly preview: string;
  /** Why it asks, for people. */
  readonly reason: string;
  /** It could run programs or reveal secrets: nobody should allow it by mistake. */
  readonly isSensitive?: boolean | undefined;
  /** A command's reasons to read it with care, one sentence each. */
  readonly dangers?: readonly string[] | undefined;
}

/** `wait`: the answer comes later, maybe in another process; see `PreToolUseDecision`. Anything unknown denies. */
export type ApprovalAnswer =
  | { readonly action: 'allow' }
  | { readonly action: 'deny'; readonly reason?: string | undefined }
  | { readonly action: 'wait' };
