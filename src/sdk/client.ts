/// <reference lib="esnext.disposable" preserve="true" />
import type { JsonObject } from '../util/json';
import { leaveAtOnce } from '../util/leaveAtOnce';
import { runInterrupted } from './abort';
import type { AgentOptions } from './configuration/agentOptions';
import { parseAgentOptions, type ResolvedOptions } from './configuration/options';
import { sectionsOf, type PromptSections } from './context/promptSections';
import type { TokenCount } from './context/tokenCount';
import { AgentError } from './errors';
import type { AgentEvent } from './events';
import type { AgentExecutionResult, RunEnd } from './executionResult';
import { runPostToolUse } from './hooks';
import { createLoopParts } from './loopParts';
import type { OutputSchemaOf } from './schema/structuredOutput';
import type { ContentBlock, Message, ToolResultBlock, ToolResultContent } from './messages';
import { agentLoop, type AgentLoopParts } from './run/agentLoop';
import { compactNow } from './run/compactNow';
import { settleOpenCalls } from './run/toolCalls/callResults';
import type { Conversation } from './run/conversation';
import { endRun } from './run/turn/endRun';
import { judgePrompt } from './run/turn/judgePrompt';
import { contentBlocks } from './run/receive';
import { RunStream, type Execute } from './run/runStream';
import type { StepParts } from './run/stepEnd';
import type { SteeringQueue } from './run/turn/steeringQueue';
import { addUserMessage, bridges } from './run/turn/userMessages';
import { parseWaitingRun } from './waiting/parseWaitingRun';
import { WaitingAnswers, type WaitingAnswer } from './waiting/waitingAnswers';
import type { WaitingRun } from './waiting/waitingRun';
import type { Signal } from './platform';

/** The options of one run. */
export interface RunOptions {
  /** Aborting it has the effect of `Client.interrupt`. */
  readonly signal?: Signal | undefined;
}

/** For `Client.compact`. */
export interface CompactOptions extends RunOptions {
  /** What the summary has to keep above all, in the person's words. */
  readonly focus?: string | undefined;
}

/** How many prompts a client has taken, and may take. */
export interface TurnMetadata {
  /** Number of prompts accepted so far. */
  readonly turnCount: number;
  readonly maxTurns?: number | undefined;
}

/** The options of a client whose answers have the type `Output`: that of the values of `outputSchema`. */
export type ClientOptions<Output> = AgentOptions & { readonly outputSchema?: OutputSchemaOf<Output> | undefined };

type RunEvents<Output> = AsyncGenerator<AgentEvent, AgentExecutionResult<Output>>;

/**
 * A conversation with a model. One run at a time; the history only grows, and is well-formed whatever happens. `Output`: the type
 * of the values of `outputSchema`.
 *
 * ```ts
 * await using client = new Client({ systemPrompt, model, baseUrl, tools: [add], autoExecuteTools: true });
 * await client.query('What is 25 + 17?');
 * for await (const block of client.receiveMessages()) if (block.type === 'text') process.stdout.write(block.text);
 * ```
 */
export class Client<Output = unknown> implements AsyncDisposable {
  readonly #options: ResolvedOptions;
  readonly #loop: AgentLoopParts;
  readonly #conversation: Conversation;
  readonly #steering: SteeringQueue;
  #active: RunStream<Output> | undefined;
  /** A prompt from `query` that `receiveMessages` has not sent yet. An interruption cancels it. */
  #query: AbortController | undefined;
  /** The run that ended because it waits. */
  #waiting: WaitingRun | undefined;
  #turnCount = 0;
  #isClosed = false;

  /** Throws an `AgentError` `invalid_options` that names the wrong fields. Nothing is sent yet. */
  constructor(options: ClientOptions<Output>) {
    this.#options = parseAgentOptions(options);
    this.#loop = createLoopParts(this.#options);
    this.#conversation = this.#loop.conversation;
    this.#steering = this.#loop.steering;
  }

  /** A copy of every message of the next request, without the system prompt. */
  get history(): readonly Message[] {
    return this.#conversation.messages;
  }

  /** The start of every request of this client, and its server. */
  get options(): { readonly systemPrompt: string; readonly model: string; readonly baseUrl: string } {
    const { model, baseUrl } = this.#options;
    const { systemPrompt } = this.#loop.request;
    return { systemPrompt, model, baseUrl };
  }

  /** Estimated length of the next request, in tokens. Responses that report their usage improve the estimate. */
  get contextTokens(): TokenCount {
    const { budget, request } = this.#loop;
    return budget.counter.count({ ...request, messages: this.#conversation.messages });
  }

  /** What fills the next request, in tokens: estimates that add up to `total`. By default `contextTokens`. */
  contextSections(total: number = this.contextTokens.tokens): PromptSections {
    return sectionsOf({ ...this.#loop.request, messages: this.#conversation.messages }, total);
  }

  /** Size of the model's context window in tokens, from the options or the server; `undefined` when unknown. */
  get contextWindow(): number | undefined {
    return this.#loop.budget.contextWindow;
  }

  /** The run that waits for answers, to save and to resume. Absent: the last run has ended otherwise. */
  get waiting(): WaitingRun | undefined {
    return this.#waiting;
  }

  /** How many prompts this client has accepted, and how many it accepts at most. */
  get turnMetadata(): TurnMetadata {
    const { maxTurns } = this.#options;
    return maxTurns === undefined ? { turnCount: this.#turnCount } : { turnCount: this.#turnCount, maxTurns };
  }

  /**
   * Accepts a prompt for `receiveMessages` to send. An empty prompt continues after tool results instead. Rejects with
   * `busy` while a run executes, `max_turns` after `maxTurns` prompts, `denied` when a hook denies the prompt, and
   * `invalid_state` for an empty prompt with nothing to continue.
   */
  async query(prompt: string): Promise<void> {
    await this.#becomeIdle();
    if (prompt === '') return this.#assertCanContinue('query: the prompt is empty');
    const query = new AbortController();
    this.#query = query;
    const events = this.#takePrompt(prompt, query.signal);
    let next = await events.next();
    while (!next.done) next = await events.next();
    if (!next.value?.error) return;
    this.#query = undefined;
    throw new AgentError(next.value.error);
  }

  /**
   * Sends the waiting prompt or tool results and yields the blocks of the answer, text and thinking in pieces. In
   * automatic mode it yields the blocks of all steps and a `ToolResultBlock` for each call. Throws the `AgentError`
   * that ended the run, and `invalid_state` when nothing is waiting. Leaving early interrupts at once.
   */
  receiveMessages(): AsyncGenerator<ContentBlock, void, undefined> {
    const left = new AbortController();
    return leaveAtOnce(this.#receive(left.signal), () => left.abort());
  }

  async *#receive(left: AbortSignal): AsyncGenerator<ContentBlock, void, undefined> {
    await this.#becomeIdle();
    const query = this.#query;
    this.#query = undefined;
    if (query?.signal.aborted) return;
    if (!query) this.#assertCanContinue('receiveMessages: call query first');
    const events = this.#stream((...parts) => this.#continue(...parts), left);
    yield* contentBlocks(events, { withResults: this.#options.autoExecuteTools });
  }

  /**
   * Runs one turn and yields all of its events, for one reader. The result is the generator's return value and
   * includes errors of the model. Leaving early interrupts at once. Throws `busy` while another run executes.
   */
  run(prompt: string, options: RunOptions = {}): RunEvents<Output> {
    return this.#stream((...parts) => this.#runPrompt(prompt, ...parts), options.signal);
  }

  /**
   * Like `run`, but from the current history: repeats a failed request, or continues after tool results, a limit or an
   * interruption. After an assistant message it adds a short user message. Throws `invalid_state` with an empty
   * history.
   */
  continueRun(options: RunOptions = {}): RunEvents<Output> {
    const execute: Execute<Output> = (...parts) => {
      if (!this.#conversation.last) throw invalidState('continueRun: there is no conversation to continue. Use run.');
      return this.#continue(...parts);
    };
    return this.#stream(execute, options.signal);
  }

  /**
   * Goes on with a run that waits: `saved` is a `WaitingRun`, its JSON text or the value of that text. It becomes the history
   * of this client, which must have the tools of the run. Every call without a result is prepared and put to the hooks again.
   * Where a hook still waits, an answer `allow` holds if the call, its arguments and its plan have the answer's hash; without
   * such an answer the run waits again. An answer `deny` always holds. Then the run goes on as `run` does.
   * Throws `invalid_options` for a saved run or answers that cannot be used, and `invalid_state` in manual mode.
   */
  resumeRun(saved: unknown, answers: readonly WaitingAnswer[] = [], options: RunOptions = {}): RunEvents<Output> {
    const execute: Execute<Output> = (...parts) => {
      if (!this.#options.autoExecuteTools)
        throw invalidState('resumeRun: the client is in manual mode (autoExecuteTools).');
      const run = parseWaitingRun(saved);
      return this.#resume(run, new WaitingAnswers(answers, run), ...parts);
    };
    return this.#stream(execute, options.signal);
  }

  /**
   * Lets the model summarise the older part of the history now. Yields how that goes: `compaction`, unless the history would
   * not get shorter, and `run_end`. Throws `invalid_state` while a tool call waits for its result.
   */
  compact(options: CompactOptions = {}): RunEvents<Output> {
    const execute = (signal: AbortSignal): RunEvents<Output> => {
      const open = this.#conversation.openCalls.map(({ id }) => id);
      if (open.length > 0) throw invalidState(`compact: these tool calls have no result yet: ${open.join(', ')}.`);
      return this.#endWith(compactNow(this.#loop, options.focus, signal));
    };
    return this.#stream(execute, options.signal);
  }

  /**
   * Adds the result of a tool call in manual mode, at any time and in any order, and tells the PostToolUse hooks.
   * Rejects with `invalid_state` for an id that is unknown or already answered.
   */
  async addToolResult(
    id: string,
    content: ToolResultContent,
    options: { readonly name?: string | undefined; readonly isError?: boolean | undefined } = {},
  ): Promise<void> {
    this.#assertOpen();
    if (this.#options.autoExecuteTools && this.#active) {
      throw invalidState(`addToolResult: the run answers "${id}" itself (autoExecuteTools).`);
    }
    const call = this.#conversation.openCalls.find((open) => open.id === id);
    const toolName = options.name ?? call?.name;
    const isError = options.isError === true;
    const named = toolName === undefined ? {} : { toolName };
    const result: ToolResultBlock = { type: 'tool_result', toolUseId: id, ...named, content, isError };
    const input = this.#inputOf(id);
    this.#conversation.addResult(result);
    this.#waiting = undefined;
    const outcome = isError ? 'failed' : 'succeeded';
    const failures = await runPostToolUse(
      this.#loop.tools.postToolUse,
      { type: 'PostToolUse', toolName: toolName ?? '', toolUseId: id, input, outcome, result },
      new AbortController().signal,
    );
    if (failures.length > 0) throw invalidState(`The result was added, but: ${failures.join('; ')}`);
  }

  /**
   * Sends a message to the run that is executing. The model gets it with the next step, also after the final answer.
   * If the run ends early, the message comes before the next prompt. Returns `false`, and keeps nothing, when no run
   * takes it; use `run` then.
   */
  steer(text: string): boolean {
    return this.#steering.add(text);
  }

  /** Takes back a message of `steer`, by its text. Returns `false` when the model has it already, or no such message waits. */
  unsteer(text: string): boolean {
    return this.#steering.remove(text);
  }

  /** Stops one tool call, running or waiting; the run goes on. Returns `false` when no such call is open. */
  cancelTool(toolUseId: string): boolean {
    return this.#loop.openToolCalls.cancel(toolUseId);
  }

  /**
   * Ends the run. Resolves when the connection is closed, the text so far is in the history and open tool calls are
   * answered. May be called at any time and repeatedly. The client can be used again.
   */
  async interrupt(): Promise<void> {
    this.#query?.abort();
    const active = this.#active;
    active?.abort();
    await active?.ended();
    if (this.#active !== undefined) return;
    this.#waiting = undefined;
    settleOpenCalls(this.#conversation, interruptedBeforeResult);
  }

  /** Interrupts. The client cannot be used again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.interrupt();
  }

  /** Does what `close` does, at the end of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #stream(execute: Execute<Output>, signal: AbortSignal | undefined): RunEvents<Output> {
    const left = new AbortController();
    const either = signal ? AbortSignal.any([signal, left.signal]) : left.signal;
    return leaveAtOnce(
      RunStream.read(() => this.#start(execute), either),
      () => left.abort(),
    );
  }

  async #start(execute: Execute<Output>): Promise<RunStream<Output>> {
    await this.#becomeIdle();
    if (this.#active) throw new AgentError({ code: 'busy', message: busy });
    const run = new RunStream(execute, {
      waitsForReader: this.#options.autoExecuteTools,
      onEnd: () => {
        if (this.#active !== run) return;
        this.#active = undefined;
        this.#steering.close();
        this.#loop.openToolCalls.clear();
        // Calls are open here only when they wait for an answer, or the loop itself failed.
        if (this.#options.autoExecuteTools && !this.#waiting)
          settleOpenCalls(this.#conversation, interruptedBeforeResult);
      },
    });
    this.#active = run;
    this.#waiting = undefined;
    if (this.#options.autoExecuteTools) this.#steering.open();
    return run;
  }

  async *#runPrompt(prompt: string, signal: AbortSignal, emit: StepParts['emit']): RunEvents<Output> {
    this.#query = undefined;
    yield { type: 'run_start', prompt };
    const refused = yield* this.#takePrompt(prompt, signal);
    return yield* this.#endRun(refused ?? (yield* agentLoop(this.#loop, { emit }, signal)));
  }

  async *#continue(signal: AbortSignal, emit: StepParts['emit']): RunEvents<Output> {
    this.#query = undefined;
    yield { type: 'run_start', prompt: '' };
    yield* settleOpenCalls(this.#conversation, noResult);
    const steering = this.#steering.take();
    if (steering !== undefined) yield* addUserMessage(this.#conversation, steering, 'steer', bridges.stopped);
    else if (this.#conversation.last?.role === 'assistant') {
      yield* addUserMessage(this.#conversation, 'Continue.', 'prompt', bridges.stopped);
    }
    return yield* this.#endRun(yield* agentLoop(this.#loop, { emit }, signal));
  }

  async *#resume(
    { history }: WaitingRun,
    answers: WaitingAnswers,
    signal: AbortSignal,
    emit: StepParts['emit'],
  ): RunEvents<Output> {
    this.#query = undefined;
    this.#conversation.load(history);
    yield { type: 'run_start', prompt: '' };
    return yield* this.#endRun(yield* agentLoop(this.#loop, { emit, answers }, signal));
  }

  async *#endWith(events: AsyncGenerator<AgentEvent, RunEnd>): RunEvents<Output> {
    return yield* this.#endRun(yield* events);
  }

  *#endRun(end: RunEnd): Generator<AgentEvent, AgentExecutionResult<Output>> {
    const result = yield* endRun<Output>(end, this.#conversation);
    this.#waiting = result.waiting;
    return result;
  }

  /** Adds a prompt to the history, or returns how the turn ended. A prompt that the hooks deny is not kept. */
  async *#takePrompt(prompt: string, signal: AbortSignal): AsyncGenerator<AgentEvent, RunEnd | undefined> {
    const { maxTurns, hooks } = this.#options;
    const turns = { count: this.#turnCount, max: maxTurns };
    const judged = await judgePrompt(prompt, turns, { hooks: hooks.UserPromptSubmit, signal });
    if ('end' in judged) return judged.end;
    this.#turnCount += 1;
    this.#waiting = undefined;
    yield* settleOpenCalls(this.#conversation, noResult);
    const steering = this.#steering.take();
    if (steering !== undefined) yield* addUserMessage(this.#conversation, steering, 'steer', bridges.stopped);
    yield* addUserMessage(this.#conversation, judged.prompt, 'prompt', bridges.stopped);
    return undefined;
  }

  /** A manual run ends without its reader, so wait for it. An automatic run may need its reader. */
  async #becomeIdle(): Promise<void> {
    this.#assertOpen();
    if (this.#active && this.#options.autoExecuteTools) {
      throw new AgentError({ code: 'busy', message: busy });
    }
    await this.#active?.ended();
    this.#assertOpen();
  }

  #assertOpen(): void {
    if (this.#isClosed) throw invalidState('The client is closed. Make a new one; its history can be passed on.');
  }

  #assertCanContinue(otherwise: string): void {
    const open = this.#conversation.openCalls.map(({ id }) => id);
    if (open.length > 0) {
      throw invalidState(`These tool calls have no result yet: ${open.join(', ')}. Add them with addToolResult.`);
    }
    if ((this.#conversation.last?.role ?? 'assistant') === 'assistant') {
      throw invalidState(`${otherwise}, and there is nothing to continue.`);
    }
  }

  #inputOf(id: string): JsonObject {
    const assistant = this.#conversation.messages.findLast((message) => message.role === 'assistant');
    const call = assistant?.content.find((block) => block.type === 'tool_use' && block.id === id);
    return call?.type === 'tool_use' ? call.input : {};
  }
}

const busy = 'A run is executing. Wait for its end, or use steer or interrupt.';

const noResult = 'No result was given for this call: the conversation went on without it.';

const interruptedBeforeResult = `${runInterrupted().message} This call has no result.`;

function invalidState(message: string): AgentError {
  return new AgentError({ code: 'invalid_state', message });
}
