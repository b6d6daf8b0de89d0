import * as l10n from '../../util/l10n';
import type { AgentErrorInfo } from '../errors';
import type { AgentEvent } from '../events';
import type { Message, Usage } from '../messages';
import type { ModelProvider, ModelRequest, ModelResponse, Sampling } from '../model/modelProvider';
import { compact, type CompactionEnd, type CompactionTask } from './compaction';
import { DEFAULT_KEEP, type ResolvedCompaction } from './compactionSchema';
import { filledWindowError, fillsWindow } from './filledWindow';
import { instructionsError, leavesNoRoom, type InstructionsSize } from './instructionsFit';
import { readContextLimit } from '../model/errors/contextLimit';
import { estimateMessageTokens, estimatePromptTokens, TokenCounter } from './tokenCount';

/** Share of the conversation that stays when a person asks for a compaction. */
const KEPT_ON_REQUEST = 0.25;

/** A summary of fewer tokens is hardly shorter, and costs a request. */
const WORTH_A_SUMMARY = 300;

export interface ContextBudgetParts {
  readonly provider: ModelProvider;
  /** Absent: no compaction. */
  readonly compaction: ResolvedCompaction | undefined;
}

type RoomEnd = CompactionEnd | { readonly kind: 'not_needed' };

/** Above this share of the window, by the estimate, the exact length is asked for. */
const EXACT_FROM = 0.6;

/** The shortest answer when its length is cut to fit the window, in tokens. */
const MIN_ANSWER_TOKENS = 256;

/** Fields of other servers for the longest answer. A person may have set them. */
const LIMIT_FIELDS: readonly string[] = [
  'max_tokens',
  'max_completion_tokens',
  'n_predict',
  'max_length',
  'num_predict',
];

/** Whether two lengths of shortened prompts may come from one window. Servers drop whole messages. */
function isNear(one: number, other: number): boolean {
  return Math.min(one, other) >= Math.max(one, other) * 0.75;
}

/** Keeps the requests of one client within the context window of its model. */
export class ContextBudget {
  readonly counter = new TokenCounter();
  readonly #parts: ContextBudgetParts;
  #learnedWindow: number | undefined;
  /** The server counts the room for the answer towards the window. */
  #mustFitAnswer = false;
  /** The server ends answers early unless the request says how long they may be. */
  #sendsRoom = false;
  /** Tokens after the newest compaction. The next one needs new messages. */
  #tokensAfter = 0;
  #newest: { readonly estimate: number; readonly reported: number } | undefined;
  /**
   * Highest ratio of reported to estimated tokens. Without it a prompt whose start is dropped step by step would look
   * like text with few tokens.
   */
  #highestRatio = 0;
  #hasWarned = false;
  /** What the server read of the prompt before, if it dropped the start of it. */
  #cutTokens: number | undefined;

  constructor(parts: ContextBudgetParts) {
    this.#parts = parts;
  }

  /** In tokens, as given or learned. */
  get contextWindow(): number | undefined {
    if (this.#learnedWindow !== undefined) return this.#learnedWindow;
    const given = this.#parts.compaction?.contextWindow;
    return typeof given === 'function' ? given() : given;
  }

  /** Compacts before a request when the window is nearly full. */
  async *makeRoom(request: ModelRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, RoomEnd> {
    const { compaction } = this.#parts;
    const { contextWindow } = this;
    if (!compaction || contextWindow === undefined) return { kind: 'not_needed' };
    const tokens = await this.#countWell(request, contextWindow, signal);
    const isFull = tokens > contextWindow * compaction.threshold;
    const hasGrown = tokens > this.#tokensAfter + contextWindow * 0.1;
    if (!isFull || !hasGrown) return { kind: 'not_needed' };
    const size = await this.#instructionsSize(request, contextWindow, signal);
    if (leavesNoRoom(size, contextWindow)) return this.#noRoomFor(size, contextWindow);
    return yield* this.#compact(request, 'threshold', signal);
  }

  /**
   * Makes room after the server refused a request as too long. Learns the limit that the server names, then shortens
   * the answer if that is enough, or the conversation. `not_needed`: send the request again. `nothing`: give up.
   */
  async *recover(
    request: ModelRequest,
    error: AgentErrorInfo,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, RoomEnd> {
    if (!this.#parts.compaction || error.code !== 'context_overflow') return { kind: 'nothing' };
    const named = readContextLimit(error.message);
    const limit = {
      contextWindow: error.contextLimit ?? named.contextWindow,
      promptTokens: error.promptTokens ?? named.promptTokens,
    };
    const counted = this.counter.count(request).tokens;
    const { promptTokens = counted } = limit;
    if (limit.promptTokens !== undefined) this.counter.observe(request, { promptTokens: limit.promptTokens });
    // Without a named limit, the limit is below this.
    const window = limit.contextWindow ?? Math.min(this.contextWindow ?? Infinity, Math.floor(counted * 0.9));
    this.#learnedWindow = window;
    const answerTokens = request.sampling.maxTokens ?? 0;
    const isAnswerTooLong = promptTokens + MIN_ANSWER_TOKENS < window && answerTokens > 0;
    if (isAnswerTooLong && promptTokens + answerTokens > window && !this.#mustFitAnswer) {
      this.#mustFitAnswer = true;
      return { kind: 'not_needed' };
    }
    const size = await this.#instructionsSize(request, window, signal);
    // The server has refused, so no doubt is left to the estimate.
    const isFilled = leavesNoRoom({ tokens: size.tokens, isEstimate: false }, window);
    if (limit.contextWindow !== undefined && isFilled) return this.#noRoomFor(size, window);
    return yield* this.#compact(request, 'overflow', signal);
  }

  /**
   * The overflow that an answer without a word hides; `undefined` when the prompt is short enough. LM Studio and others end
   * the stream as if the model were done when the prompt does not fit. Call `noteResponse` first.
   */
  async hiddenOverflow(
    request: ModelRequest,
    { content, stopReason, usage }: ModelResponse,
    signal: AbortSignal,
  ): Promise<AgentErrorInfo | undefined> {
    const { contextWindow } = this;
    const isEmpty = content.length === 0 && (stopReason === 'stop' || stopReason === 'length');
    if (!isEmpty || contextWindow === undefined) return undefined;
    const counted = await this.#countWell(request, contextWindow, signal);
    const { isEstimate } = this.counter.count(request);
    const reported = usage?.promptTokens ?? 0;
    const length = { tokens: Math.max(counted, reported), isEstimate: isEstimate && reported < counted };
    if (!fillsWindow(length, contextWindow)) return undefined;
    // The estimate was too low. A summary that trusts it would not fit either.
    if (length.isEstimate) this.counter.observe(request, { promptTokens: Math.max(counted, contextWindow) });
    return filledWindowError(request.model, length, contextWindow);
  }

  #noRoomFor(size: InstructionsSize, contextWindow: number): RoomEnd {
    return { kind: 'failed', error: instructionsError(size, contextWindow, this.#parts.compaction?.windowAdvice) };
  }

  /** The tokens of everything but the messages. Asks the server only where the estimate is near the window. */
  async #instructionsSize(request: ModelRequest, window: number, signal: AbortSignal): Promise<InstructionsSize> {
    const bare = { ...request, messages: [] };
    const { tokens } = this.counter.count(bare);
    const exact = tokens * 2 < window ? undefined : await this.#parts.compaction?.countTokens?.(bare, { signal });
    return exact === undefined ? { tokens, isEstimate: true } : { tokens: exact, isEstimate: false };
  }

  /** The sampling of a request. The length of the answer is limited to the room where the server needs that. */
  samplingFor(request: ModelRequest): Sampling {
    const { sampling } = request;
    const { contextWindow } = this;
    const isSet = typeof sampling.maxTokens === 'number';
    if (contextWindow === undefined || !(isSet ? this.#mustFitAnswer : this.#sendsRoom)) return sampling;
    const margin = Math.ceil(contextWindow * 0.02);
    const room = Math.max(MIN_ANSWER_TOKENS, contextWindow - this.counter.count(request).tokens - margin);
    return { ...sampling, maxTokens: Math.min(sampling.maxTokens ?? room, room) };
  }

  /**
   * Learns from an answer that reached a limit. Returns `true` when that was a small limit of the server's own: KoboldCpp
   * and MLX end an answer after a few hundred tokens unless the request has `max_tokens`. From now on the room is sent.
   */
  noteLimit(request: ModelRequest, { content, stopReason, usage }: ModelResponse): boolean {
    const { sampling } = request;
    const isOurs =
      typeof sampling.maxTokens === 'number' || LIMIT_FIELDS.some((key) => key in (sampling.extraBody ?? {}));
    if (stopReason !== 'length' || isOurs || this.#sendsRoom) return false;
    const answer = usage?.completionTokens ?? estimateMessageTokens([{ role: 'assistant', content }]);
    const used = (usage?.promptTokens ?? this.counter.count(request).tokens) + answer;
    const { contextWindow } = this;
    if (contextWindow === undefined || used > contextWindow * 0.9) return false;
    this.#sendsRoom = true;
    return true;
  }

  /**
   * Learns from the usage of a response. Warns once when the server seems to have dropped part of the prompt. When it does so
   * twice in a row with about the same length, that length is the window from now on.
   */
  noteResponse(request: ModelRequest, usage: Usage | undefined): AgentEvent | undefined {
    if (!usage) return undefined;
    const plain = estimatePromptTokens(request);
    const estimate = Math.max(this.counter.count(request).tokens, Math.ceil(plain * this.#highestRatio));
    const reported = usage.promptTokens;
    const before = this.#newest;
    this.#newest = { estimate, reported };
    const isFarBelow = estimate > 2_000 && reported < estimate * (this.counter.isCalibrated ? 0.6 : 0.4);
    const hasFallen = before !== undefined && estimate > before.estimate && reported < before.reported * 0.9;
    // Servers that count only uncached tokens report little, some less than after a dropped start.
    const isCut = reported >= 1_000 && (isFarBelow || hasFallen);
    if (!isCut && this.counter.observe(request, usage) && plain >= 1_000) {
      this.#highestRatio = Math.max(this.#highestRatio, reported / plain);
    }
    const isSameCut = isCut && this.#cutTokens !== undefined && isNear(reported, this.#cutTokens);
    const newWindow = isSameCut ? Math.max(reported, this.#cutTokens ?? 0) : undefined;
    this.#cutTokens = isCut ? reported : undefined;
    if (newWindow !== undefined && this.#lowerWindow(newWindow)) {
      const message = l10n.t(
        'The server dropped the start of the prompt again, so a context window of {0} tokens is assumed from now on. Earlier messages are summarised instead of being dropped.',
        newWindow,
      );
      return { type: 'warning', code: 'prompt_truncated', message };
    }
    if (!isCut || this.#hasWarned) return undefined;
    this.#hasWarned = true;
    const message = l10n.t(
      'The server read {0} tokens of a prompt of about {1}: it seems to drop the start of a long prompt without saying so. Load the model with a larger context window; with Ollama, set OLLAMA_CONTEXT_LENGTH for the server, because its /v1 interface takes no num_ctx.',
      reported,
      estimate,
    );
    return { type: 'warning', code: 'prompt_truncated', message };
  }

  /** Returns whether the window is smaller now. */
  #lowerWindow(tokens: number): boolean {
    const { compaction } = this.#parts;
    if (!compaction || tokens >= (this.contextWindow ?? Infinity)) return false;
    this.#learnedWindow = tokens;
    compaction.onSmallerWindow?.(tokens);
    return true;
  }

  /** Counts exactly where the estimate is not enough. */
  async #countWell(request: ModelRequest, contextWindow: number, signal: AbortSignal): Promise<number> {
    const { compaction } = this.#parts;
    const counted = this.counter.count(request);
    if (!compaction?.countTokens || !counted.isEstimate || counted.tokens <= contextWindow * EXACT_FROM) {
      return counted.tokens;
    }
    const exact = await compaction.countTokens(request, { signal });
    if (exact === undefined) return counted.tokens;
    this.counter.observe(request, { promptTokens: exact });
    return exact;
  }

  /** Compacts, however full the window is. Keeps less than otherwise: a person asked for it. */
  async *compactNow(
    request: ModelRequest,
    focus: string | undefined,
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, CompactionEnd> {
    const { instruction, keep = DEFAULT_KEEP } = this.#parts.compaction ?? {};
    const { counter } = this;
    const tokens = counter.scale(estimateMessageTokens(request.messages));
    if (tokens < WORTH_A_SUMMARY) return { kind: 'nothing' };
    // Where the window is not known, the request and its summary have fitted so far.
    const contextWindow = this.contextWindow ?? counter.count(request).tokens * 2;
    const most = Math.min(keep, (tokens * KEPT_ON_REQUEST) / contextWindow);
    const task = { request, counter, contextWindow, keep: most, instruction, focus, reason: 'requested' as const };
    return yield* this.#run({ ...task, provider: this.#parts.provider, signal });
  }

  async *#compact(
    request: ModelRequest,
    reason: 'threshold' | 'overflow',
    signal: AbortSignal,
  ): AsyncGenerator<AgentEvent, RoomEnd> {
    const { provider, compaction } = this.#parts;
    const { contextWindow, counter } = this;
    if (!compaction || contextWindow === undefined) return { kind: 'nothing' };
    const { keep, instruction } = compaction;
    return yield* this.#run({ provider, request, counter, contextWindow, keep, instruction, reason, signal });
  }

  async *#run(task: CompactionTask): AsyncGenerator<AgentEvent, CompactionEnd> {
    const { request, counter } = task;
    const end = yield* compact(task);
    const messages: readonly Message[] = end.kind === 'compacted' ? end.messages : request.messages;
    this.#tokensAfter = counter.count({ ...request, messages }).tokens;
    this.#newest = undefined;
    return end;
  }
}
