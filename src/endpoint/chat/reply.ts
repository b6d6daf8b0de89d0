import { addUsage } from '../../sdk/executionResult';
import type { AgentErrorInfo } from '../../sdk/errors';
import type { AgentEvent, RunOutcome, ToolOutcome } from '../../sdk/events';
import type { StopReason, Usage } from '../../sdk/messages';
import { StopSequences } from './stopSequences';

export type FinishReason = 'stop' | 'length' | 'content_filter';

/** The state of a tool call, for callers that show it. */
export interface ToolActivity {
  readonly id: string;
  readonly name: string;
  readonly state: 'started' | ToolOutcome;
}

/** A piece of an answer. */
export type ReplyPart =
  | { readonly type: 'text' | 'thinking'; readonly text: string }
  | { readonly type: 'tool'; readonly tool: ToolActivity };

export type ReplyEnd =
  | { readonly type: 'finished'; readonly finishReason: FinishReason }
  | { readonly type: 'failed'; readonly error: AgentErrorInfo };

/** Turns the events of one run into one answer. Joins the texts of all steps, with a blank line after tool calls. */
export class Reply {
  readonly #maxCompletionTokens: number;
  readonly #toolNames = new Map<string, string>();
  #usage: Usage | undefined;
  /** The number of deltas of the current response. Each has at least one token. */
  #piecesNow = 0;
  /** The same for earlier responses without a count by the server. */
  #piecesBefore = 0;
  #hasText = false;
  #needsGap = false;
  #stopReason: StopReason = 'stop';
  readonly #stop: StopSequences;
  #end: ReplyEnd | undefined;

  /**
   * `maxCompletionTokens`: `isSpent` turns true when the run has written this many. `stop`: the answer ends before
   * these.
   */
  constructor(options: { readonly maxCompletionTokens: number; readonly stop?: readonly string[] | undefined }) {
    this.#maxCompletionTokens = options.maxCompletionTokens;
    this.#stop = new StopSequences(options.stop ?? []);
  }

  /** The answer has reached a stop sequence, so the run can end. */
  get hasStopped(): boolean {
    return this.#stop.hasStopped;
  }

  /** The text that was held back because it could have been the begin of a stop sequence. */
  rest(): ReplyPart | undefined {
    const text = this.#stop.rest();
    return text === '' ? undefined : { type: 'text', text };
  }

  /** The model server's counts so far, over all requests of the run. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /**
   * True when the run has used all its tokens. Prevents another step and cuts a longer response. Servers count only at the
   * end of a response. Until then the number of pieces counts, which is lower.
   */
  get isSpent(): boolean {
    const counted = (this.#usage?.completionTokens ?? 0) + this.#piecesBefore;
    return this.#piecesNow === 0
      ? counted >= this.#maxCompletionTokens
      : counted + this.#piecesNow > this.#maxCompletionTokens;
  }

  /** How the run ended. The caller treats a run without an end as failed. */
  get end(): ReplyEnd | undefined {
    return this.#end;
  }

  take(event: AgentEvent): ReplyPart | undefined {
    switch (event.type) {
      case 'step_start':
        this.#piecesBefore += this.#piecesNow;
        this.#piecesNow = 0;
        return undefined;
      case 'text_delta':
        this.#piecesNow += 1;
        return this.#text(event.text);
      case 'tool_use_delta':
        this.#piecesNow += 1;
        return undefined;
      case 'thinking_delta':
        this.#piecesNow += 1;
        return event.text === '' ? undefined : { type: 'thinking', text: event.text };
      case 'tool_execution_start':
        this.#toolNames.set(event.toolUseId, event.toolName);
        this.#needsGap = this.#hasText;
        return { type: 'tool', tool: { id: event.toolUseId, name: event.toolName, state: 'started' } };
      case 'tool_execution_end': {
        const name = this.#toolNames.get(event.toolUseId) ?? event.result.toolName ?? '';
        return { type: 'tool', tool: { id: event.toolUseId, name, state: event.outcome } };
      }
      case 'usage':
        this.#piecesNow = 0;
        this.#usage = addUsage(this.#usage, event.usage);
        return undefined;
      case 'step_end':
        this.#stopReason = event.stopReason;
        return undefined;
      case 'run_end':
        this.#end = this.#endOf(event.outcome, event.error);
        return undefined;
      default:
        return undefined;
    }
  }

  #text(text: string): ReplyPart | undefined {
    if (text === '') return undefined;
    const gap = this.#needsGap ? '\n\n' : '';
    this.#needsGap = false;
    this.#hasText = true;
    const shown = this.#stop.take(gap + text);
    return shown === '' ? undefined : { type: 'text', text: shown };
  }

  #endOf(outcome: RunOutcome, error: AgentErrorInfo | undefined): ReplyEnd {
    if (this.hasStopped) return { type: 'finished', finishReason: 'stop' };
    switch (outcome) {
      case 'completed':
        return { type: 'finished', finishReason: finishReasonOf(this.#stopReason) };
      case 'limit':
        return { type: 'finished', finishReason: 'length' };
      case 'interrupted':
        if (this.isSpent) return { type: 'finished', finishReason: 'length' };
        return { type: 'failed', error: error ?? { code: 'interrupted', message: 'The run was stopped.' } };
      case 'error':
        return { type: 'failed', error: error ?? { code: 'invalid_state', message: 'The run failed.' } };
      case 'waiting':
        return { type: 'failed', error: { code: 'invalid_state', message: 'The run waits for an answer.' } };
      default:
        return outcome satisfies never;
    }
  }
}

function finishReasonOf(reason: StopReason): FinishReason {
  return reason === 'length' || reason === 'content_filter' ? reason : 'stop';
}
