import type { JsonObject, JsonValue } from '../util/json';
import { AgentError } from './errors';
import type { ToolResultContent } from './messages';
import { coerceBySchema } from './model/calls/toolArguments';
import { compileSchema, type InputOf, type ToolShape, type Validation } from './toolSchema';

/** What a tool gets besides its input. */
export interface ToolContext {
  /** Aborted by `interrupt()` and by `Client.cancelTool`. Check it after every await that precedes a side effect. */
  readonly signal: AbortSignal;
  readonly toolUseId: string;
  /** Output to show while the tool runs; not sent to the model. */
  progress(output: string): void;
}

/** What a tool gives back. `display` is for screens only and is never sent to the model. */
export interface ToolOutput {
  readonly content: ToolResultContent;
  readonly isError?: boolean | undefined;
  readonly display?: JsonValue | undefined;
}

/** What `prepare` found: a plan to approve and execute, or an error the model can act on. Nobody is asked after an error. */
export type Preparation<Plan> =
  { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly error: string };

/**
 * A tool as the loop runs it, in this order: validate, prepare, PreToolUse hooks, run, PostToolUse hooks.
 * `prepare` only reads. `run` gets the plan that was approved and must not decide anything anew.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object schema; sent to the model as it is. */
  readonly inputSchema: JsonObject;
  /** Names models invent for this tool (`execute_bash`) and for its parameters (`file_path` -> `path`). */
  readonly aliases?: readonly string[] | undefined;
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** Checks arguments that are already coerced by the schema; the error names the field. */
  validate(input: JsonObject): Validation;
  prepare(input: JsonObject, context: ToolContext): Promise<Preparation<unknown>>;
  run(plan: unknown, context: ToolContext): Promise<ToolOutput>;
  /**
   * Names what a plan changes and depends on, where that is one thing. Calls of one response that follow each other and
   * name different things are prepared and put to the hooks together, so that a person can look at all of them; they
   * still run one after the other. `undefined`, or no such method: the call waits for the ones before it.
   */
  touches?(plan: unknown): string | undefined;
  /** All steps but the hooks, for callers in manual mode. Throws an `Error` whose message says what was wrong. */
  execute(input: JsonObject, context?: Partial<ToolContext>): Promise<ToolResultContent>;
}

/** Does the work at once. What it returns may be text, a number, JSON or a `ToolOutput`; what it throws is the error. */
export type ToolFunction<Input> = (input: Input, context: ToolContext) => unknown;

/** Reads first (`prepare`), so that a person can approve exactly what `run` then does. */
export interface PreparedTool<Input, Plan> {
  prepare(input: Input, context: ToolContext): Preparation<Plan> | Promise<Preparation<Plan>>;
  run(plan: Plan, context: ToolContext): unknown;
}

export interface ToolOptions<Plan = unknown> {
  readonly aliases?: readonly string[] | undefined;
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** See `Tool.touches`. */
  readonly touches?: ((plan: Plan) => string | undefined) | undefined;
}

/**
 * Makes a tool. Throws `invalid_options` for a name no server takes or a shape that cannot be described.
 *
 * ```ts
 * const add = tool('add', 'Add two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => a + b);
 * ```
 */
export function tool<const Shape extends ToolShape, Plan = unknown>(
  name: string,
  description: string,
  shape: Shape,
  work: ToolFunction<InputOf<Shape>> | PreparedTool<InputOf<Shape>, Plan>,
  options: ToolOptions<Plan> = {},
): Tool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new AgentError({
      code: 'invalid_options',
      message: `Tool name "${name}": servers take 1 to 64 letters, digits, "_" and "-" only.`,
    });
  }
  const { inputSchema, validate } = compileSchema(name, shape);
  const steps: PreparedTool<InputOf<Shape>, Plan> = typeof work === 'function'
    ? {
        prepare: (input) => ({ ok: true, plan: input as unknown as Plan }),
        run: (plan, context) => work(plan as unknown as InputOf<Shape>, context),
      }
    : work;

  const self: Tool = {
    name,
    description,
    inputSchema,
    aliases: options.aliases,
    parameterAliases: options.parameterAliases,
    validate,
    prepare: async (input, context) => steps.prepare(input as InputOf<Shape>, context),
    run: async (plan, context) => toToolOutput(await steps.run(plan as Plan, context)),
    ...(options.touches && { touches: (plan) => options.touches?.(plan as Plan) }),
    execute: (input, context) => executeDirectly(self, input, context),
  };
  return self;
}

async function executeDirectly(
  self: Tool,
  input: JsonObject,
  context: Partial<ToolContext> = {},
): Promise<ToolResultContent> {
  const full: ToolContext = {
    signal: context.signal ?? new AbortController().signal,
    toolUseId: context.toolUseId ?? '',
    progress: context.progress ?? (() => {}),
  };
  const validation = self.validate(coerceBySchema(input, self.inputSchema, self.parameterAliases));
  if (!validation.ok) throw new Error(validation.error);
  const preparation = await self.prepare(validation.input, full);
  if (!preparation.ok) throw new Error(preparation.error);
  const output = await self.run(preparation.plan, full);
  if (output.isError) throw new Error(contentToText(output.content));
  return output.content;
}

/** What a model reads of a result. */
export function contentToText(content: ToolResultContent): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const outputKeys = new Set(['content', 'isError', 'display']);

function toToolOutput(value: unknown): ToolOutput {
  if (isJsonLikeObject(value) && 'content' in value && Object.keys(value).every((key) => outputKeys.has(key))) {
    const { content, isError, display } = value as { content: unknown; isError?: boolean; display?: JsonValue };
    return { content: toContent(content), isError: isError === true, ...(display === undefined ? {} : { display }) };
  }
  return { content: toContent(value) };
}

function toContent(value: unknown): ToolResultContent {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'Done.';
  // Through JSON and back: what is kept is what a file and the model will hold.
  const json = typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
  if (json === undefined) throw new Error(`A tool returned a ${typeof value}, which no model can read.`);
  const copy: unknown = typeof value === 'object' ? JSON.parse(json) : null;
  return typeof copy === 'object' && copy !== null ? (copy as ToolResultContent) : json;
}

function isJsonLikeObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
