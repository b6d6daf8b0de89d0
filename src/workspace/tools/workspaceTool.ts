import { tool, type Planned, type Preparation, type Tool, type ToolContext } from '../../sdk/tool';
import type { Signal } from '../../sdk/platform';
import type { InputOf, ToolShape } from '../../sdk/schema/toolShape';
import type { EditPlan, EditsPlan, GuardedPath, ReadPlan } from '../plans';
import { withNormalizedInput, type ToolDeclaration } from './declarations/toolDeclaration';
import { readForEdit, type DecidedFile } from './edits/readForEdit';
import { prepareRename, type RenameQuestion } from './navigation/planRename';
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
  /** See `prepareRename`. */
  readonly prepareRename: (question: RenameQuestion) => Preparation<ReadPlan | EditsPlan>;
}

/** The two steps of a tool. They are made without access to files, and get the access that the step may have. */
export interface WorkspaceToolSteps<Input, Plan> {
  prepare(input: Input, access: UndecidedAccess): Promise<Preparation<Plan>>;
  /** The plan was decided. */
  run(plan: Plan, access: WorkspaceAccess, context: ToolContext): unknown;
}

/** What a tool has besides its declaration. */
interface WorkspaceToolOptions<Plan> {
  /** See `Tool.preload`. It gets the access as `run` does: the plan was decided. */
  readonly preload?: (plan: Plan, access: WorkspaceAccess, context: ToolContext) => Promise<void>;
}

/** Makes a tool of the workspace, in two steps: the access to files comes last, so that `prepare` cannot capture it. */
export function workspaceTool<Shape extends ToolShape, Plan>(
  { name, description, shape, normalize, ...options }: ToolDeclaration<Shape, Plan>,
  steps: WorkspaceToolSteps<InputOf<Shape>, Plan>,
  { preload }: WorkspaceToolOptions<Plan> = {},
): (access: WorkspaceAccess) => Tool {
  return (access) => {
    const undecided = (signal: Signal): UndecidedAccess => ({
      ports: access.ports,
      roots: access.roots,
      commandOptions: access.commandOptions,
      readForEdit: (target, plan) => readForEdit(target, access, plan),
      prepareRename: (question) => prepareRename(question, access, signal),
    });
    const strict = tool<Shape, Plan>(
      name,
      typeof description === 'string' ? description : description(access.ports),
      shape,
      {
        prepare: (input, { signal }) => steps.prepare(input, undecided(signal)),
        run: (plan, context) => steps.run(plan, access, context),
      },
      { ...options, ...(preload && { preload: (plan: Plan, context) => preload(plan, access, context) }) },
    );
    return normalize ? withNormalizedInput(strict, normalize) : strict;
  };
}
