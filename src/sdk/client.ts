/// <reference lib="esnext.disposable" preserve="true" />
import { leaveAtOnce } from '../util/async/leaveAtOnce';
import { runInterrupted } from './abort';
import type { ClientOptions, CompactOptions, RunOptions, ToolResultOptions, TurnMetadata } from './clientOptions';
import { parseAgentOptions, type ResolvedOptions } from './configuration/options';
import { sectionsOf, type PromptSections } from './context/promptSections';
import type { TokenCount } from './context/tokenCount';
import { AgentError } from './errors';
import type { RunEvents } from './executionResult';
import { checkUserContent } from './images/imagePart';
import { createLoopParts } from './loopParts';
import type { ContentBlock, Message, ToolResultContent, UserContent } from './messages';
import type { AgentLoopParts } from './run/agentLoop';
import { contentBlocks } from './run/receive';
import { RunSlot } from './run/runSlot';
import type { Execute } from './run/runStream';
import { settleOpenCalls } from './run/toolCalls/callResults';
import { addGivenResult } from './run/toolCalls/givenResult';
import { Turns } from './run/turn/turns';
import { parseWaitingRun } from './waiting/parseWaitingRun';
import { WaitingAnswers, type WaitingAnswer } from './waiting/waitingAnswers';
import type { WaitingRun } from './waiting/waitingRun';

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
  readonly #turns: Turns<Output>;
  readonly #slot: RunSlot<Output>;
  /** A prompt from `query` that `receiveMessages` has not sent yet. An interruption cancels it. */
  #query: AbortController | undefined;

  /** Throws an `AgentError` `invalid_options` that names the wrong fields. Nothing is sent yet. */
  constructor(options: ClientOptions<Output>) {
    this.#options = parseAgentOptions(options);
    this.#loop = createLoopParts(this.#options);
    this.#turns = new Turns(this.#loop, this.#options);
    const { autoExecuteTools } = this.#options;
    this.#slot = new RunSlot({
      isAutomatic: autoExecuteTools,
      onStart: () => {
        this.#turns.stopWaiting();
        if (autoExecuteTools) this.#loop.steering.open();
      },
      onEnd: () => {
        this.#loop.steering.close();
        this.#loop.openToolCalls.clear();
        // Calls are open here only when they wait for an answer, or the loop itself failed.
        if (autoExecuteTools && !this.waiting) this.#settleOpenCalls();
      },
    });
  }

  /** A copy of every message of the next request, without the system prompt. */
  get history(): readonly Message[] {
    return this.#loop.conversation.messages;
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
    return budget.counter.count({ ...request, messages: this.history });
  }

  /** What fills the next request, in tokens: estimates that add up to `total`. By default `contextTokens`. */
  contextSections(total: number = this.contextTokens.tokens): PromptSections {
    return sectionsOf({ ...this.#loop.request, messages: this.history }, total);
  }

  /** Size of the model's context window in tokens, from the options or the server; `undefined` when unknown. */
  get contextWindow(): number | undefined {
    return this.#loop.budget.contextWindow;
  }

  /** The run that waits for answers, to save and to resume. Absent: the last run has ended otherwise. */
  get waiting(): WaitingRun | undefined {
    return this.#turns.waiting;
  }

  /** How many prompts this client has accepted, and how many it accepts at most. */
  get turnMetadata(): TurnMetadata {
    return this.#turns.metadata;
  }

  /**
   * Accepts a prompt for `receiveMessages` to send. An empty prompt continues after tool results instead. Rejects with
   * `busy` while a run executes, `max_turns` after `maxTurns` prompts, `denied` when a hook denies the prompt,
   * `invalid_options` for an image that cannot be used, and `invalid_state` for an empty prompt with nothing to continue.
   */
  async query(prompt: UserContent): Promise<void> {
    const content = checkUserContent(prompt);
    await this.#slot.becomeIdle();
    if (content === '') return this.#assertCanContinue('query: the prompt is empty');
    const query = new AbortController();
    this.#query = query;
    const events = this.#turns.takePrompt(content, query.signal);
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
    await this.#slot.becomeIdle();
    const query = this.#query;
    this.#query = undefined;
    if (query?.signal.aborted) return;
    if (!query) this.#assertCanContinue('receiveMessages: call query first');
    const events = this.#slot.stream((...parts) => this.#turns.continue(...parts), left);
    yield* contentBlocks(events, { withResults: this.#options.autoExecuteTools });
  }

  /**
   * Runs one turn and yields all of its events, for one reader. The result is the generator's return value and
   * includes errors of the model. Leaving early interrupts at once. Throws `busy` while another run executes, and
   * `invalid_options` for an image that cannot be used.
   */
  run(prompt: UserContent, options: RunOptions = {}): RunEvents<Output> {
    return this.#stream((...parts) => this.#turns.runPrompt(checkUserContent(prompt), ...parts), options);
  }

  /**
   * Like `run`, but from the current history: repeats a failed request, or continues after tool results, a limit or an
   * interruption. After an assistant message it adds a short user message. Throws `invalid_state` with an empty
   * history.
   */
  continueRun(options: RunOptions = {}): RunEvents<Output> {
    return this.#stream((...parts) => {
      if (this.history.length === 0) throw invalidState('continueRun: there is no conversation to continue. Use run.');
      return this.#turns.continue(...parts);
    }, options);
  }

  /**
   * Goes on with a run that waits: `saved` is a `WaitingRun`, its JSON text or the value of that text. It becomes the history
   * of this client, which must have the tools of the run. Every call without a result is prepared and put to the hooks again.
   * Where a hook still waits, an answer `allow` holds if the call, its arguments and its plan have the answer's hash; without
   * such an answer the run waits again. An answer `deny` always holds. Then the run goes on as `run` does.
   * Throws `invalid_options` for a saved run or answers that cannot be used, and `invalid_state` in manual mode.
   */
  resumeRun(saved: unknown, answers: readonly WaitingAnswer[] = [], options: RunOptions = {}): RunEvents<Output> {
    return this.#stream((...parts) => {
      if (!this.#options.autoExecuteTools)
        throw invalidState('resumeRun: the client is in manual mode (autoExecuteTools).');
      const run = parseWaitingRun(saved);
      return this.#turns.resume({ history: run.history, answers: new WaitingAnswers(answers, run) }, ...parts);
    }, options);
  }

  /**
   * Lets the model summarise the older part of the history now. Yields how that goes: `compaction`, unless the history would
   * not get shorter, and `run_end`. Throws `invalid_state` while a tool call waits for its result.
   */
  compact(options: CompactOptions = {}): RunEvents<Output> {
    return this.#slot.stream((signal) => {
      const open = this.#openCallIds();
      if (open.length > 0) throw invalidState(`compact: these tool calls have no result yet: ${open.join(', ')}.`);
      return this.#turns.compact(options.focus, signal);
    }, options.signal);
  }

  /**
   * Adds the result of a tool call in manual mode, at any time and in any order, and tells the PostToolUse hooks.
   * Rejects with `invalid_state` for an id that is unknown or already answered, and `invalid_options` for an image that cannot be
   * used or a content that is neither text nor JSON.
   */
  async addToolResult(id: string, content: ToolResultContent, options: ToolResultOptions = {}): Promise<void> {
    this.#slot.assertOpen();
    if (this.#options.autoExecuteTools && this.#slot.isTaken) {
      throw invalidState(`addToolResult: the run answers "${id}" itself (autoExecuteTools).`);
    }
    await addGivenResult(this.#loop, { id, content, ...options }, () => this.#turns.stopWaiting());
  }

  /**
   * Sends a message to the run that is executing. The model gets it with the next step, also after the final answer.
   * If the run ends early, the message comes before the next prompt. Returns `false`, and keeps nothing, when no run
   * takes it; use `run` then.
   */
  steer(text: string): boolean {
    return this.#loop.steering.add(text);
  }

  /** Takes back a message of `steer`, by its text. Returns `false` when the model has it already, or no such message waits. */
  unsteer(text: string): boolean {
    return this.#loop.steering.remove(text);
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
    if (!(await this.#slot.interrupt())) return;
    this.#turns.stopWaiting();
    this.#settleOpenCalls();
  }

  /** Interrupts. The client cannot be used again. */
  async close(): Promise<void> {
    this.#slot.close();
    await this.interrupt();
  }

  /** Does what `close` does, at the end of an `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** A run in the place of the one that `query` began. */
  #stream(execute: Execute<Output>, { signal }: RunOptions): RunEvents<Output> {
    return this.#slot.stream((...parts) => {
      const events = execute(...parts);
      this.#query = undefined;
      return events;
    }, signal);
  }

  #openCallIds(): readonly string[] {
    return this.#loop.conversation.openCalls.map(({ id }) => id);
  }

  #settleOpenCalls(): void {
    settleOpenCalls(this.#loop.conversation, `${runInterrupted().message} This call has no result.`);
  }

  #assertCanContinue(otherwise: string): void {
    const open = this.#openCallIds();
    if (open.length > 0) {
      throw invalidState(`These tool calls have no result yet: ${open.join(', ')}. Add them with addToolResult.`);
    }
    if ((this.#loop.conversation.last?.role ?? 'assistant') === 'assistant') {
      throw invalidState(`${otherwise}, and there is nothing to continue.`);
    }
  }
}

function invalidState(message: string): AgentError {
  return new AgentError({ code: 'invalid_state', message });
}
