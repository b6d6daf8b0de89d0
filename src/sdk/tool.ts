import { isJsonObject, type JsonObject, type JsonValue } from '../util/json';
import { AgentError } from './errors';
import { checkImage } from './images/imagePart';
import type { ImagePart, ToolResultContent } from './messages';
import { compileSchema, type Validation } from './schema/toolSchema';
import type { CheckedShape, InputOf, ToolShape } from './schema/toolShape';
import { limitTime, MAX_TIMEOUT_MS } from './timeLimit';
import { systemTimer } from '../util/timer';
import type { Signal } from './platform';

/** The context of a tool call, besides its input. */
export interface ToolContext {
  /** Aborted by `interrupt()` and by `Client.cancelTool`. Check it after every await that precedes a side effect. */
  readonly signal: Signal;
  readonly toolUseId: string;
  /** Shows output while the tool runs. Never sent to the model. */
  progress(output: string): void;
  /**
   * To be called after the effect and before slow checks of it. Resolves when the following calls of the group (see
   * `Tool.touches`) have had their effects too, so that all check at the same time. Absent: there is no group.
   */
  readonly waitForGroup?: (() => Promise<void>) | undefined;
}

/** The result of a tool. `display` is for screens and never sent to the model. */
export interface ToolOutput {
  readonly content: ToolResultContent;
  /** Images that the model gets with the content. */
  readonly images?: readonly ImagePart[] | undefined;
  readonly isError?: boolean | undefined;
  readonly display?: JsonValue | undefined;
}

/** A plan to approve and execute, or an error that the model can act on. No hook is called after an error. */
export type Planned<Plan> = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly error: string };

/**
 * The tool must read something before it can plan, and reading it needs a decision of its own. The hooks decide about
 * `reading` first, as about a plan. Only then `planAfterReading` reads, and the hooks decide about the plan that it makes.
 */
export interface ReadingFirst<Plan> {
  readonly ok: true;
  readonly reading: unknown;
  readonly planAfterReading: () => Promise<Planned<Plan>>;
}

/** The result of `prepare`. An error before the decision about `reading` must not depend on what is there to read. */
export type Preparation<Plan> = Planned<Plan> | ReadingFirst<Plan>;

export function isReadingFirst<Plan>(preparation: Preparation<Plan>): preparation is ReadingFirst<Plan> {
  return preparation.ok && 'reading' in preparation;
}

/**
 * A tool. The loop calls, in this order: validate, prepare, PreToolUse hooks, run, PostToolUse hooks. `prepare` only
 * reads; where reading needs a decision, see `ReadingFirst`. `run` gets the approved plan and decides nothing anew.
 */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments: an object schema, sent to the model unchanged. */
  readonly inputSchema: JsonObject;
  /** Other names that models use for this tool (`execute_bash`) and for its parameters (`file_path` -> `path`). */
  readonly aliases?: readonly string[] | undefined;
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** Checks arguments after coercion by the schema. The error names the field. */
  validate(input: JsonObject): Validation;
  prepare(input: JsonObject, context: ToolContext): Promise<Preparation<unknown>>;
  run(plan: unknown, context: ToolContext): Promise<ToolOutput>;
  /**
   * Names the one thing that a plan changes and depends on. Successive calls of one response that name different
   * things are prepared and put to the hooks together, so a person sees all of them. They still run one after the
   * other. Without a name the call waits for the ones before it. Also gets `ReadingFirst.reading`.
   */
  touches?(plan: unknown): string | undefined;
  /**
   * Loads what `run` would otherwise wait for. Called when the hooks have allowed a call of a group, for several calls at
   * the same time. Only reads. An error is ignored.
   */
  preload?(plan: unknown, context: ToolContext): Promise<void>;
  /**
   * Its calls depend on no other call and change nothing that another one needs. Successive calls of one response run side
   * by side where all their tools say so. The hooks are still asked about one after the other, and results keep the order
   * of the calls. Not with `touches`.
   */
  readonly parallel?: boolean | undefined;
  /**
   * How long `run` may take, in milliseconds. Then its signal is aborted with a `TimeoutError`, the model gets an error that
   * says so, and the run goes on. Absent: no limit.
   */
  readonly timeoutMs?: number | undefined;
  /** Runs all steps except the hooks, for callers in manual mode, who have decided already. Throws an `Error` that says what was wrong. */
  execute(input: JsonObject, context?: Partial<ToolContext>): Promise<ToolResultContent>;
}

/** Does the work. Returns text, a number, JSON or a `ToolOutput`. A thrown error becomes the result. */
export type ToolFunction<Input> = (input: Input, context: ToolContext) => unknown;

/** Reads first (`prepare`), so that a person can approve exactly what `run` will do. */
export interface PreparedTool<Input, Plan> {
  prepare(input: Input, context: ToolContext): Preparation<Plan> | Promise<Preparation<Plan>>;
  run(plan: Plan, context: ToolContext): unknown;
}

/** The further options of `tool`. */
export interface ToolOptions<Plan = unknown> {
  readonly aliases?: readonly string[] | undefined;
  readonly parameterAliases?: Readonly<Record<string, string>> | undefined;
  /** See `Tool.touches`. */
  readonly touches?: ((plan: Plan) => string | undefined) | undefined;
  /** See `Tool.preload`. */
  readonly preload?: ((plan: Plan, context: ToolContext) => Promise<void>) | undefined;
  /** See `Tool.parallel`. Default: `false`. */
  readonly parallel?: boolean | undefined;
  /** See `Tool.timeoutMs`. Default: no limit. */
  readonly timeoutMs?: number | undefined;
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
  shape: Shape & CheckedShape<Shape>,
  work: ToolFunction<InputOf<Shape>> | PreparedTool<InputOf<Shape>, Plan>,
  options: ToolOptions<Plan> = {},
): Tool {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
    throw new AgentError({
      code: 'invalid_options',
      message: `Tool name "${name}": servers take 1 to 64 letters, digits, "_" and "-" only.`,
    });
  }
  if (options.parallel && options.touches) {
    throw new AgentError({
      code: 'invalid_options',
      message: `Tool "${name}": use either parallel or touches. Calls that touch something run one after the other.`,
    });
  }
  const { timeoutMs } = options;
  if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
    throw new AgentError({
      code: 'invalid_options',
      message: `Tool "${name}": timeoutMs must be more than 0 and at most ${MAX_TIMEOUT_MS} milliseconds, and it is ${timeoutMs}.`,
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
    ...(options.parallel && { parallel: true }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(options.touches && { touches: (plan) => options.touches?.(plan as Plan) }),
    ...(options.preload && { preload: async (plan, context) => options.preload?.(plan as Plan, context) }),
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
  // JavaScript programs may give anything.
  if (!isJsonObject(input)) throw new Error(`Invalid arguments for ${self.name}: expected an object.`);
  // It is large, with the repair of JSON.
  const { coerceBySchema } = await import('./model/calls/toolArguments');
  const validation = self.validate(coerceBySchema(input, self.inputSchema, self.parameterAliases));
  if (!validation.ok) throw new Error(validation.error);
  const preparation = await self.prepare(validation.input, full);
  const planned = isReadingFirst(preparation) ? await preparation.planAfterReading() : preparation;
  if (!planned.ok) throw new Error(planned.error);
  const output = await runWithinLimit(self, planned.plan, full);
  if (output.isError) throw new Error(contentToText(output.content));
  return output.content;
}

/** Rejects when the time is over. Any other abort is the tool's to notice. */
async function runWithinLimit(self: Tool, plan: unknown, context: ToolContext): Promise<ToolOutput> {
  const limited = limitTime(self, context, systemTimer);
  const { signal } = limited.context;
  const over = new Promise<never>((_resolve, reject) => {
    const onAbort = (): void => {
      if (limited.isOver()) reject(signal.reason as Error);
    };
    if (self.timeoutMs !== undefined) signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([self.run(plan, limited.context), over]);
  } finally {
    limited.dispose();
  }
}

/** The text of a result, as the model gets it. */
export function contentToText(content: ToolResultContent): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const outputKeys = new Set(['content', 'images', 'isError', 'display']);

function toToolOutput(value: unknown): ToolOutput {
  if (isJsonLikeObject(value) && 'content' in value && Object.keys(value).every((key) => outputKeys.has(key))) {
    const { content, images, isError, display } = value as Omit<ToolOutput, 'content'> & { content: unknown };
    return {
      content: toContent(content),
      ...(images && images.length > 0 && { images: images.map(checkImage) }),
      isError: isError === true,
      ...(display === undefined ? {} : { display }),
    };
  }
  return { content: toContent(value) };
}

/** What a tool returned, as text or JSON. Throws an `Error` for what is neither. */
export function toContent(value: unknown): ToolResultContent {
  if (typeof value === 'string') return value;
  if (value === undefined) return 'Done.';
  // Keeps the value as JSON holds it, because files and the model get JSON.
  const json = typeof value === 'bigint' ? value.toString() : JSON.stringify(value);
  if (json === undefined) throw new Error(`A tool returned a ${typeof value}, which no model can read.`);
  const copy: unknown = typeof value === 'object' ? JSON.parse(json) : null;
  // A date, for example.
  if (typeof copy === 'string') return copy;
  return typeof copy === 'object' && copy !== null ? (copy as ToolResultContent) : json;
}

function isJsonLikeObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
