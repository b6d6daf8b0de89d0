import { tool, type Planned, type Preparation, type Tool, type ToolContext, type ToolOptions } from '../../sdk/tool';
import type { CheckedShape, InputOf, ToolShape } from '../../sdk/schema/toolShape';
import type { EditPlan, GuardedPath } from '../plans';
import { readForEdit, type DecidedFile } from './edits/readForEdit';
import type { PathAccess, WorkspaceAccess } from './workspaceAccess';

/**
 * What `prepare` gets. It can look at paths, and cannot open a file: the right to read is decided after it, and an edit
 * opens its file with `readForEdit`.
 */
export interface UndecidedAccess extends PathAccess {
  /** See `readForEdit`. */
  readonly readForEdit: (
    target: GuardedPath,
    plan: (file: DecidedFile) => Promise<Planned<EditPlan>>,
  ) => Promise<Preparation<EditPlan>>;
}

/** The two steps of a tool. They are made without access to files, and get the access that the step may have. */
export interface WorkspaceToolSteps<Input, Plan> {
  prepare(input: Input, access: UndecidedAccess): Promise<Preparation<Plan>>;
  /** The plan was decided. */
  run(plan: Plan, access: WorkspaceAccess, context: ToolContext): unknown;
}

/** `preload` gets the access as `run` does: the plan was decided. */
interface WorkspaceToolOptions<Plan> extends Omit<ToolOptions<Plan>, 'preload'> {
  readonly preload?: (plan: Plan, access: WorkspaceAccess, context: ToolContext) => Promise<void>;
}

/** Makes a tool of the workspace, in two steps: the access to files comes last, so that `prepare` cannot capture it. */
export function workspaceTool<const Shape extends ToolShape, Plan>(
  name: string,
  description: string | ((access: WorkspaceAccess) => string),
  shape: Shape,
  steps: WorkspaceToolSteps<InputOf<Shape>, Plan>,
  { preload, ...options }: WorkspaceToolOptions<Plan>,
): (access: WorkspaceAccess) => Tool {
  return (access) => {
    const undecided: UndecidedAccess = {
      ports: access.ports,
      roots: access.roots,
      commandOptions: access.commandOptions,
      readForEdit: (target, plan) => readForEdit(target, access, plan),
    };
    return tool<Shape, Plan>(
      name,
      typeof description === 'string' ? description : description(access),
      shape as Shape & CheckedShape<Shape>,
      {
        prepare: (input) => steps.prepare(input, undecided),
        run: (plan, context) => steps.run(plan, access, context),
      },
      { ...options, ...(preload && { preload: (plan: Plan, context) => preload(plan, access, context) }) },
    );
  };
}
