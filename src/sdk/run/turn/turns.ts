import type { TurnMetadata } from '../../clientOptions';
import type { ResolvedOptions } from '../../configuration/options';
import type { AgentEvent } from '../../events';
import type { AgentExecutionResult, RunEnd, RunEvents } from '../../executionResult';
import { textOfContent, withText } from '../../images/imagePart';
import type { UserContent } from '../../messages';
import type { WaitingAnswers } from '../../waiting/waitingAnswers';
import type { WaitingRun } from '../../waiting/waitingRun';
import type { AgentLoopParts, LoopStart } from '../agentLoop';
import { compactNow } from '../compactNow';
import { lazyLoop } from '../lazyLoop';
import { beginTurn, continueTurn } from './beginTurn';
import { endRun } from './endRun';
import { judgePrompt } from './judgePrompt';

/** The turns of a client: how each begins and ends, how many prompts there were, and which run waits for answers. */
export class Turns<Output> {
  readonly #loop: AgentLoopParts;
  readonly #options: Pick<ResolvedOptions, 'hooks' | 'maxTurns'>;
  #count = 0;
  #waiting: WaitingRun | undefined;

  constructor(loop: AgentLoopParts, options: Pick<ResolvedOptions, 'hooks' | 'maxTurns'>) {
    this.#loop = loop;
    this.#options = options;
  }

  get metadata(): TurnMetadata {
    const { maxTurns } = this.#options;
    return maxTurns === undefined ? { turnCount: this.#count } : { turnCount: this.#count, maxTurns };
  }

  /** The run that ended because it waits. Absent: the last run has ended otherwise, or `stopWaiting` was called. */
  get waiting(): WaitingRun | undefined {
    return this.#waiting;
  }

  stopWaiting(): void {
    this.#waiting = undefined;
  }

  /** A run with a new prompt. */
  async *runPrompt(prompt: UserContent, signal: AbortSignal, emit: LoopStart['emit']): RunEvents<Output> {
    yield { type: 'run_start', prompt: textOfContent(prompt) };
    const refused = yield* this.takePrompt(prompt, signal);
    return yield* this.#end(refused ?? (yield* lazyLoop(this.#loop, { emit }, signal)));
  }

  /** A run from the history as it is. */
  async *continue(signal: AbortSignal, emit: LoopStart['emit']): RunEvents<Output> {
    yield { type: 'run_start', prompt: '' };
    yield* continueTurn(this.#loop);
    return yield* this.#end(yield* lazyLoop(this.#loop, { emit }, signal));
  }

  /** A saved run with the answers to its calls. Its history becomes that of the client. */
  async *resume(
    { history, answers }: { readonly history: WaitingRun['history']; readonly answers: WaitingAnswers },
    signal: AbortSignal,
    emit: LoopStart['emit'],
  ): RunEvents<Output> {
    this.#loop.conversation.load(history);
    yield { type: 'run_start', prompt: '' };
    return yield* this.#end(yield* lazyLoop(this.#loop, { emit, answers }, signal));
  }

  /** A run that only shortens the history. No call may be open. */
  async *compact(focus: string | undefined, signal: AbortSignal): RunEvents<Output> {
    return yield* this.#end(yield* compactNow(this.#loop, focus, signal));
  }

  /** Adds a prompt to the history, or returns how the turn ended. A prompt that the hooks deny is not kept. */
  async *takePrompt(prompt: UserContent, signal: AbortSignal): AsyncGenerator<AgentEvent, RunEnd | undefined> {
    const { maxTurns: max, hooks } = this.#options;
    const text = textOfContent(prompt);
    const judged = await judgePrompt(text, { count: this.#count, max }, { hooks: hooks.UserPromptSubmit, signal });
    if ('end' in judged) return judged.end;
    const asked = judged.prompt === text ? prompt : withText(prompt, judged.prompt);
    this.#count += 1;
    this.stopWaiting();
    yield* beginTurn(this.#loop, asked);
    return undefined;
  }

  *#end(end: RunEnd): Generator<AgentEvent, AgentExecutionResult<Output>> {
    const result = yield* endRun<Output>(end, this.#loop.conversation);
    this.#waiting = result.waiting;
    return result;
  }
}
