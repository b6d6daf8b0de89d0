import type { JsonObject, JsonValue } from '../../../util/json';
import { abortMessage, raceAbort } from '../../abort';
import type { ToolOutcome } from '../../events';
import type { BeforeRun, PostToolUseHook, PreToolUseHook } from '../../hooks';
import { checkImage } from '../../images/imagePart';
import type { ToolResultBlock, ToolResultContent, ToolUseBlock } from '../../messages';
import { coerceBySchema } from '../../model/calls/toolArguments';
import { contentToText, isReadingFirst, type Planned, type Tool, type ToolContext, type ToolOutput } from '../../tool';
import { runPostToolUse } from '../hooks/postToolUse';
import { runBeforeRun, runPreToolUse, type PreparedCall } from '../hooks/preToolUse';
import type { ToolRegistry } from './toolRegistry';
import { messageOf } from '../../../util/errors';
import { withinTime } from '../../../util/async/withinTime';
import type { SetTimer } from '../../../util/timer';
import { limitTime } from '../../timeLimit';
import type { WaitingAnswers } from '../../waiting/waitingAnswers';
import type { WaitingCall } from '../../waiting/waitingCall';

export interface ToolRunnerParts {
  readonly registry: ToolRegistry;
  /** Called in order. The approval hook is the last. */
  readonly preToolUse: readonly PreToolUseHook[];
  readonly postToolUse: readonly PostToolUseHook[];
  /** How long a stopped tool may take to report what it did. */
  readonly stopGraceMs: number;
  /** The answers to calls that waited for them. Only for the response that made these calls. */
  readonly answers?: WaitingAnswers | undefined;
  /** For the time limits of tools. */
  readonly setTimer: SetTimer;
}

/** A call that may execute. */
export interface ReadyCall extends PreparedCall {
  readonly ok: true;
  readonly tool: Tool;
  readonly beforeRun: readonly BeforeRun[];
}

/** A call that will not execute. `error` is for the model. */
export interface RefusedCall {
  readonly ok: false;
  readonly input: JsonObject;
  readonly outcome: Exclude<ToolOutcome, 'succeeded'>;
  readonly error: string;
}

/** A call that waits for an answer, which may come in another process. */
export interface WaitingDecision {
  readonly ok: false;
  readonly outcome: 'waiting';
  readonly call: WaitingCall;
}

export type Decision = ReadyCall | RefusedCall | WaitingDecision;

export interface ToolExecution {
  readonly outcome: ToolOutcome;
  readonly result: ToolResultBlock;
  readonly display?: JsonValue | undefined;
  /** Failures of the PostToolUse hooks. */
  readonly hookFailures: readonly string[];
}

/** A call with a plan, before the hooks. */
export interface PlannedCall {
  readonly ok: true;
  readonly tool: Tool;
  readonly planned: PreparedCall;
  readonly prepare: (input: JsonObject) => Promise<Planned<PreparedCall>>;
}

/** All steps before execution: find the tool, coerce, validate, prepare, ask the hooks. Never throws. */
export async function prepareCall(parts: ToolRunnerParts, call: ToolUseBlock, signal: AbortSignal): Promise<Decision> {
  const planned = await planCall(parts, call, signal);
  return planned.ok ? askHooks(parts, call, planned, signal) : planned;
}

/** The steps before the hooks. Only reads. Never throws. */
export async function planCall(
  parts: ToolRunnerParts,
  call: ToolUseBlock,
  signal: AbortSignal,
): Promise<PlannedCall | RefusedCall> {
  if (signal.aborted) return interrupted(call, signal);
  const tool = parts.registry.find(call.name);
  if (!tool) return refuse(call, 'failed', parts.registry.describeUnknown(call.name));

  const context: ToolContext = { signal, toolUseId: call.id, progress: () => {} };
  const prepare = (input: JsonObject): Promise<Planned<PreparedCall>> => validateAndPrepare(tool, input, context);
  const prepared = await raceAbort(prepare(call.input), signal);
  if (prepared.isAborted || signal.aborted) return interrupted(call, signal);
  if (!prepared.value.ok) return refuse(call, 'failed', prepared.value.error);
  return { ok: true, tool, planned: prepared.value.plan, prepare };
}

/** Asks the hooks about a plan. Never throws. */
export async function askHooks(
  parts: ToolRunnerParts,
  call: ToolUseBlock,
  { tool, planned, prepare }: PlannedCall,
  signal: AbortSignal,
): Promise<Decision> {
  const { answers, preToolUse } = parts;
  const denial = answers?.denialOf(call.id);
  if (denial !== undefined) return refuse(call, 'denied', describeDenial(denial), planned.input);
  const asked = await runPreToolUse(
    preToolUse,
    { ...planned, toolName: tool.name, toolUseId: call.id },
    { prepareAgain: prepare, signal, answers },
  );
  if (signal.aborted) return interrupted(call, signal);
  switch (asked.kind) {
    case 'allowed':
      return { ok: true, tool, ...asked.call, beforeRun: asked.beforeRun };
    case 'denied':
      return refuse(call, 'denied', describeDenial(asked.reason), planned.input);
    case 'failed':
      return refuse(call, 'failed', asked.error, planned.input);
    case 'waiting':
      return { ok: false, outcome: 'waiting', call: asked.call };
    case 'interrupted':
      return interrupted(call, signal);
  }
}

/** Lets the tool load what its run would wait for. Never throws. */
export async function preload(call: ToolUseBlock, { tool, plan }: ReadyCall, signal: AbortSignal): Promise<void> {
  if (!tool.preload || signal.aborted) return;
  try {
    await raceAbort(tool.preload(plan, { signal, toolUseId: call.id, progress: () => {} }), signal);
  } catch {
    // `run` loads it, or reports why not.
  }
}

/** Asks the hooks once more about a call that was allowed some time ago. Never throws. */
export async function askAgain(
  call: ToolUseBlock,
  ready: ReadyCall,
  signal: AbortSignal,
): Promise<ReadyCall | RefusedCall> {
  const asked = await runBeforeRun(ready.beforeRun, ready.plan, signal);
  if (signal.aborted) return interrupted(call, signal);
  switch (asked.kind) {
    case 'allowed':
      return { ...ready, plan: asked.plan };
    case 'denied':
      return refuse(call, 'denied', describeDenial(asked.reason), ready.input);
    case 'interrupted':
      return interrupted(call, signal);
  }
}

function refuse(
  call: ToolUseBlock,
  outcome: RefusedCall['outcome'],
  error: string,
  input: JsonObject = call.input,
): RefusedCall {
  return { ok: false, input, outcome, error };
}

function interrupted(call: ToolUseBlock, signal: AbortSignal): RefusedCall {
  return refuse(call, 'interrupted', `${abortMessage(signal)} The call was not executed and nothing was changed.`);
}

/** Runs a prepared call and tells the PostToolUse hooks. Never throws. */
export async function executeCall(
  parts: ToolRunnerParts,
  call: ToolUseBlock,
  ready: ReadyCall,
  options: {
    readonly signal: AbortSignal;
    readonly runSignal: AbortSignal;
    readonly progress: (output: string) => void;
    /** See `ToolContext.waitForGroup`. */
    readonly waitForGroup?: (() => Promise<void>) | undefined;
    /** Makes the model's result out of the tool's output. */
    readonly toContent: (output: ToolOutput, outcome: ToolOutcome) => ToolResultContent;
  },
): Promise<ToolExecution> {
  const { signal, runSignal, progress, waitForGroup, toContent } = options;
  const { output, outcome } = await runTool(parts, ready, {
    signal,
    toolUseId: call.id,
    progress,
    ...(waitForGroup && { waitForGroup }),
  });
  const toolName = ready.tool.name;
  const result: ToolResultBlock = {
    type: 'tool_result',
    toolUseId: call.id,
    toolName,
    content: toContent(output, outcome),
    ...(output.images && { images: output.images }),
    isError: outcome !== 'succeeded',
  };
  const hookFailures = await runPostToolUse(
    parts.postToolUse,
    { type: 'PostToolUse', toolName, toolUseId: call.id, input: ready.input, outcome, result },
    runSignal,
  );
  return { outcome, result, hookFailures, ...(output.display === undefined ? {} : { display: output.display }) };
}

async function validateAndPrepare(tool: Tool, input: JsonObject, context: ToolContext): Promise<Planned<PreparedCall>> {
  return orFailed(tool, async () => {
    const validation = tool.validate(coerceBySchema(input, tool.inputSchema, tool.parameterAliases));
    if (!validation.ok) return validation;
    const preparation = await tool.prepare(validation.input, context);
    if (!isReadingFirst(preparation)) return withInput(validation.input, preparation);
    const { reading } = preparation;
    const planAfterReading = (): Promise<Planned<PreparedCall>> =>
      orFailed(tool, async () => withInput(validation.input, await preparation.planAfterReading()));
    return { ok: true, plan: { input: validation.input, plan: reading, planAfterReading } };
  });
}

function withInput(input: JsonObject, planned: Planned<unknown>): Planned<PreparedCall> {
  return planned.ok ? { ok: true, plan: { input, plan: planned.plan } } : planned;
}

/** Turns an exception of a tool into an error for the model. */
async function orFailed(tool: Tool, work: () => Promise<Planned<PreparedCall>>): Promise<Planned<PreparedCall>> {
  try {
    return await work();
  } catch (error) {
    return { ok: false, error: `${tool.name} failed: ${messageOf(error)}` };
  }
}

async function runTool(
  parts: ToolRunnerParts,
  ready: ReadyCall,
  context: ToolContext,
): Promise<{ readonly output: ToolOutput; readonly outcome: ToolOutcome }> {
  const { signal } = context;
  if (signal.aborted) {
    return {
      outcome: 'interrupted',
      output: { content: `${abortMessage(signal)} The call was not executed and nothing was changed.` },
    };
  }
  const limited = limitTime(ready.tool, context, parts.setTimer);
  try {
    const settled = runSettled(ready, limited.context);
    const raced = await raceAbort(settled, limited.context.signal);
    if (!raced.isAborted) return { outcome: raced.value.isError ? 'failed' : 'succeeded', output: raced.value };
    const ended = await withinTime(settled, parts.stopGraceMs);
    const output = describeStopped(limited.context.signal, ended);
    // The call of a person or a run that was stopped is interrupted. One that was too slow has failed, and the run goes on.
    return { outcome: limited.isOver() ? 'failed' : 'interrupted', output };
  } finally {
    limited.dispose();
  }
}

async function runSettled(ready: ReadyCall, context: ToolContext): Promise<ToolOutput> {
  try {
    const output = await ready.tool.run(ready.plan, context);
    // A tool need not come from `tool`.
    return output.images ? { ...output, images: output.images.map(checkImage) } : output;
  } catch (error) {
    return { content: messageOf(error), isError: true };
  }
}

function describeStopped(signal: AbortSignal, ended: ToolOutput | undefined): ToolOutput {
  const why = abortMessage(signal);
  if (!ended) return { content: `${why} It may have taken effect in part.` };
  const said = contentToText(ended.content);
  // A tool that rethrows the abort reason adds nothing.
  const content = said === '' || said === why ? `${why} It may have taken effect in part.` : `${why}\n${said}`;
  return ended.display === undefined ? { content } : { content, display: ended.display };
}

function describeDenial(reason: string): string {
  const because = reason.trim() === '' ? '' : ` Reason: ${reason.trim()}`;
  return `The call was denied. Nothing was changed.${because}`;
}
