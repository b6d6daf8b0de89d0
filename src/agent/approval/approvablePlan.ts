import * as z from 'zod';
import type { McpPlan } from '../../mcp/mcpPlan';
import type { ExtensionPlan } from '../extensionTools/extensionPlan';
import type { EditPlan, EditsPlan, WorkspacePlan } from '../../workspace/plans';

/** The plan of a call that can be approved: of the agent's own tools, of MCP servers and of other extensions. */
export type ApprovablePlan = WorkspacePlan | EditsPlan | McpPlan | ExtensionPlan;

/** A plan about which one decision is made. Each edit of an `EditsPlan` is decided by itself, and all of them together. */
export type SinglePlan = Exclude<ApprovablePlan, EditsPlan>;

/** Not ordinary: replacing a whole file, which can lose content, and an edit whose place was only similar. */
export function isOrdinaryEdit({ operation, match }: EditPlan): boolean {
  return match !== 'near' && (operation === 'edit' || operation === 'create');
}

const Target = z.looseObject({
  path: z.string(),
  realPath: z.string(),
  displayPath: z.string(),
  pathInRoot: z.string().nullable(),
  exists: z.boolean(),
});

const Edit = z.looseObject({
  kind: z.literal('edit'),
  operation: z.enum(['edit', 'create', 'overwrite']),
  target: Target,
  before: z.string().nullable(),
  after: z.string(),
  proposed: z.string(),
});

const Plan = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('read'), target: Target, isFor: z.literal('edit').optional() }),
  Edit,
  z.looseObject({ kind: z.literal('edits'), title: z.string(), edits: z.array(Edit).min(1) }),
  z.looseObject({ kind: z.literal('command'), command: z.string(), cwd: Target, timeoutMs: z.number() }),
  z.looseObject({
    kind: z.literal('mcp'),
    server: z.string(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    isReadOnly: z.boolean(),
  }),
  z.looseObject({
    kind: z.literal('extension'),
    extension: z.string().nullable(),
    tool: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
]);

/**
 * Checks a plan, which a tool from elsewhere may have made of anything. Returns the plan itself, not a copy: what is
 * approved is what runs. `undefined`: its shape is unknown.
 */
export function asApprovablePlan(plan: unknown): ApprovablePlan | undefined {
  return Plan.safeParse(plan).success ? (plan as ApprovablePlan) : undefined;
}
