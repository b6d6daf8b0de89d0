import { textOfContent } from '../../../src/sdk/images/imagePart';
import assert from 'node:assert/strict';
import type { ModelEvent, ModelProvider, ModelRequest } from '../../../src/sdk/model/modelProvider';
import { toWireMessages } from '../../../src/sdk/model/wire/wireMessages';
import { toWireTools } from '../../../src/sdk/model/wire/wireRequest';
import { response } from './scriptedProvider';

export interface WindowedProviderOptions {
  /** The context window, in tokens of this server. */
  readonly contextWindow: number;
  /** The answer to the request with this number, from 0. Requests for a summary do not count. */
  readonly answer: (index: number, request: ModelRequest) => readonly ModelEvent[];
  /** The answer to a request for a summary. */
  readonly summary?: (index: number, request: ModelRequest) => readonly ModelEvent[];
  /** The text of a refusal. */
  readonly refusal?: (promptTokens: number) => string;
  /** Whether the tokens reserved for the answer count, as with vLLM. */
  readonly countsAnswer?: boolean;
  /** Refuses with an empty answer, as LM Studio does. */
  readonly isSilent?: boolean;
  /** The finish reason of such an answer. */
  readonly silentReason?: 'stop' | 'length';
  /** Default: true. */
  readonly reportsUsage?: boolean;
  readonly charactersPerToken?: number;
}

/** A model server with a context window. It refuses prompts that do not fit, reports usage, and is strict about roles. */
export class WindowedProvider implements ModelProvider {
  readonly requests: ModelRequest[] = [];
  readonly summaryRequests: ModelRequest[] = [];
  readonly promptTokens: number[] = [];
  refusals = 0;
  readonly #options: WindowedProviderOptions;

  constructor(options: WindowedProviderOptions) {
    this.#options = options;
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelEvent> {
    const { contextWindow, answer, summary, refusal, countsAnswer = false } = this.#options;
    const { isSilent = false, silentReason = 'stop', reportsUsage = true } = this.#options;
    const promptTokens = this.tokensOf(request);
    if (promptTokens + (countsAnswer ? (request.sampling.maxTokens ?? 0) : 0) > contextWindow) {
      this.refusals += 1;
      if (isSilent) {
        const usage = { promptTokens, completionTokens: 0 };
        yield* response([], { stopReason: silentReason, ...(reportsUsage && { usage }) });
        return;
      }
      const message =
        refusal?.(promptTokens) ??
        `request (${promptTokens} tokens) exceeds the available context size (${contextWindow} tokens), try increasing it`;
      yield { type: 'error', error: { code: 'context_overflow', message, status: 400 }, partial: [] };
      return;
    }
    this.promptTokens.push(promptTokens);
    const last = request.messages.at(-1);
    const isSummary = last?.role === 'user' && textOfContent(last.content).includes('too long for the context window');
    if (!isSummary) assertWellFormed(request);
    const asked = isSummary ? this.summaryRequests : this.requests;
    asked.push(structuredClone(request));
    const index = asked.length - 1;
    const events = isSummary
      ? (summary?.(index, request) ?? response([{ type: 'text', text: `Summary ${index}: the work goes well.` }]))
      : answer(index, request);
    for (const event of events) {
      yield event.type === 'response_end' && reportsUsage
        ? { ...event, usage: { promptTokens, completionTokens: 10 } }
        : event;
    }
  }

  tokensOf({ systemPrompt, messages, tools }: ModelRequest): number {
    const text = JSON.stringify([toWireMessages(systemPrompt, messages), toWireTools(tools)]);
    return Math.ceil(text.length / (this.#options.charactersPerToken ?? 3.6));
  }
}

/** Checks the rules of strict templates on the history itself, before anything is filled in. */
function assertWellFormed({ messages }: ModelRequest): void {
  let open: string[] = [];
  let last = 'none';
  for (const message of messages) {
    if (message.role === 'tool') {
      assert.equal(message.content.toolUseId, open.shift(), 'a result stands right behind its call');
      last = 'tool';
      continue;
    }
    assert.deepEqual(open, [], 'every call is answered');
    assert.notEqual(message.role, last, 'user and assistant take turns');
    last = message.role;
    open = message.role === 'assistant' ? message.content.flatMap((block) => ('id' in block ? [block.id] : [])) : [];
  }
  assert.deepEqual(open, []);
}
