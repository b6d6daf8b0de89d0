import { raceAbort } from '../../src/sdk/abort';
import { isReadingFirst, type Tool, type ToolOutput } from '../../src/sdk/tool';
import { coerceBySchema } from '../../src/sdk/model/calls/toolArguments';
import type { JsonObject } from '../../src/util/json';

export interface CallOptions {
  /** Replaces the hooks: gets the plan and returns the plan that runs, or a promise of it. */
  readonly approve?: (plan: unknown) => unknown;
  /** Gets what the tool asks to read before it plans. Throws to refuse it. */
  readonly approveReading?: (reading: unknown) => unknown;
  readonly signal?: AbortSignal;
  readonly onProgress?: (output: string) => void;
}

/** The outcome of a call: its output, or the error of `validate` or `prepare`. */
export type CallResult = ToolOutput | { readonly refused: string };

/** Calls a tool by any of its names, in the same steps as the agent. */
export async function callTool(
  tools: readonly Tool[],
  name: string,
  input: JsonObject,
  options: CallOptions = {},
): Promise<CallResult> {
  const called = tools.find((tool) => tool.name === name || tool.aliases?.includes(name));
  if (!called) throw new Error(`There is no tool ${name}.`);
  const context = {
    signal: options.signal ?? new AbortController().signal,
    toolUseId: 'call-1',
    progress: options.onProgress ?? (() => {}),
  };
  const validation = called.validate(coerceBySchema(input, called.inputSchema, called.parameterAliases));
  if (!validation.ok) return { refused: validation.error };
  const prepared = await raceAbort(called.prepare(validation.input, context), context.signal);
  if (prepared.isAborted) return { refused: 'The call was stopped.' };
  const preparation = prepared.value;
  if (isReadingFirst(preparation)) await options.approveReading?.(preparation.reading);
  const planned = isReadingFirst(preparation) ? await preparation.planAfterReading() : preparation;
  if (!planned.ok) return { refused: planned.error };
  const plan = options.approve ? await options.approve(planned.plan) : planned.plan;
  return called.run(plan, context);
}
