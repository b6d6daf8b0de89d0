import type { CheckedShape, ToolShape } from '../../../sdk/schema/toolShape';
import type { Tool, ToolOptions } from '../../../sdk/tool';
import type { JsonObject } from '../../../util/json';
import type { WorkspacePorts } from '../../ports';

/** What a model is told of a tool, and how its arguments are read. Needs none of the code that does the work. */
export interface AnyDeclaration extends Omit<ToolOptions<never>, 'preload'> {
  readonly name: string;
  readonly description: string | ((ports: WorkspacePorts) => string);
  readonly shape: ToolShape;
  /** Changes the arguments before they are checked. */
  readonly normalize?: ((input: JsonObject) => JsonObject) | undefined;
}

/** A declaration with the types of its arguments and plan. */
export interface ToolDeclaration<Shape extends ToolShape, Plan> extends AnyDeclaration {
  readonly shape: Shape & CheckedShape<Shape>;
  readonly touches?: ((plan: Plan) => string | undefined) | undefined;
}

/** Keeps the type of the shape. */
export function declareTool<const Shape extends ToolShape, Plan = unknown>(
  declaration: ToolDeclaration<Shape, Plan>,
): ToolDeclaration<Shape, Plan> {
  return declaration;
}

/** The tool, which normalizes its arguments before validation. */
export function withNormalizedInput(tool: Tool, normalize: (input: JsonObject) => JsonObject): Tool {
  return {
    ...tool,
    validate: (input) => tool.validate(normalize(input)),
    execute: (input, context) => tool.execute(normalize(input), context),
  };
}
