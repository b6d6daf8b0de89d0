import { AsyncQueue } from '../../../util/async/asyncQueue';
import type { AgentEvent } from '../../events';
import type { ToolUseBlock } from '../../messages';
import { contentToText } from '../../tool';
import { boundedContent } from './boundedResult';
import { noteRepeat, type Repeat } from './repeatedCalls';
import type { RunCallsParts } from './runCallsParts';
import { executeCall, type ReadyCall, type ToolExecution } from './toolRunner';

/** One call that runs. It may wait with its checks until the calls after it have had their effects (`waitForGroup`). */
export class RunningCall {
  readonly call: ToolUseBlock;
  readonly #parts: RunCallsParts;
  readonly #events = new AsyncQueue<AgentEvent | 'held'>();
  readonly #progress = this.#events[Symbol.asyncIterator]();
  readonly #execution: Promise<ToolExecution>;
  #repeat: Repeat | undefined;
  #release = (): void => {};

  constructor(
    parts: RunCallsParts,
    call: ToolUseBlock,
    ready: ReadyCall,
    { signal, runSignal }: { readonly signal: AbortSignal; readonly runSignal: AbortSignal },
  ) {
    this.call = call;
    this.#parts = parts;
    const toolUseId = call.id;
    const released = new Promise<void>((resolve) => (this.#release = resolve));
    signal.addEventListener('abort', this.#release, { once: true });
    this.#execution = executeCall(parts.tools, call, ready, {
      signal,
      runSignal,
      progress: (output) => this.#events.push({ type: 'tool_execution_progress', toolUseId, output }),
      waitForGroup: () => {
        this.#events.push('held');
        return released;
      },
      toContent: (output, outcome) => {
        const content = boundedContent(output.content);
        if (outcome === 'interrupted') return content;
        this.#repeat = parts.repeatedCalls.add({ name: ready.tool.name, input: ready.input }, content);
        return this.#repeat ? noteRepeat(contentToText(content), this.#repeat) : content;
      },
    }).finally(() => {
      signal.removeEventListener('abort', this.#release);
      this.#events.close();
    });
    // `finish` reports an error.
    this.#execution.catch(() => {});
  }

  /** Tells the progress until the call waits for others, or has ended. Returns whether it waits. */
  async *untilHeld(): AsyncGenerator<AgentEvent, boolean> {
    for (;;) {
      const next = await this.#progress.next();
      if (next.done) return false;
      if (next.value === 'held') return true;
      yield next.value;
    }
  }

  /** Lets the call go on with its checks. */
  release(): void {
    this.#release();
  }

  /** Resolves when the call has ended. Never rejects. */
  async ended(): Promise<void> {
    await this.#execution.catch(() => {});
  }

  /** Tells the progress until the call has ended. */
  async *progress(): AsyncGenerator<AgentEvent> {
    this.release();
    while (yield* this.untilHeld());
  }

  /** Waits for the end of the call and adds its result. */
  async *finish(): AsyncGenerator<AgentEvent, Repeat | undefined> {
    yield* this.progress();
    const { outcome, result, display, hookFailures } = await this.#execution;
    for (const message of hookFailures) yield { type: 'warning', code: 'hook_failed', message };
    this.#parts.conversation.addResult(result);
    const toolUseId = this.call.id;
    yield { type: 'tool_execution_end', toolUseId, outcome, result, ...(display === undefined ? {} : { display }) };
    return this.#repeat;
  }
}
