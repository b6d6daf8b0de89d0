import type { JsonObject, JsonValue } from '../util/json';
import type { ToolResultContent } from './messages';

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

export type Validation = { readonly ok: true; readonly input: JsonObject } | { readonly ok: false; readonly error: string };

/** What `prepare` found: a plan to approve and execute, or an error the model can act on. Nobody is asked after an error. */
export type Preparation<Plan> =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly error: string };

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
  /** All steps but the hooks, for callers in manual mode. Throws an `Error` whose message says what was wrong. */
  execute(input: JsonObject, context?: Partial<ToolContext>): Promise<ToolResultContent>;
}
