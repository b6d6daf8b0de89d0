import * as l10n from '../../../util/l10n';
import type { AgentErrorInfo } from '../../../sdk/errors';
import type { Message, StopReason, ToolUseBlock, ToolUseError } from '../../../sdk/messages';
import type { ModelLogger } from '../../../sdk/model/modelLogger';
import type { ToolDefinition } from '../../../sdk/model/modelProvider';
import { createOpenAIProvider } from '../../../sdk/model/openaiProvider';
import type { QuirkMemory } from '../../../sdk/model/wire/serverQuirks';
import { assertNever } from '../../../util/assertNever';
import { AnswerTap, type RawAnswer } from './answerTap';

/** One small request of the Doctor. It contains nothing of the person's. */
export interface Question {
  readonly systemPrompt?: string | undefined;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly maxTokens: number;
}

/** An answer as the client understood it, and as it came. */
export interface Answer {
  /** Why there is no answer, or why it ended early. */
  readonly error?: AgentErrorInfo | undefined;
  readonly text: string;
  readonly thinking: string;
  readonly calls: readonly ToolUseBlock[];
  readonly brokenCalls: readonly ToolUseError[];
  readonly stopReason?: StopReason | undefined;
  /** Each feature that the server rejected, and how the client adapted. */
  readonly rejections: readonly string[];
  /** From the request to the first sign of an answer. */
  readonly firstTokenMs?: number | undefined;
  readonly raw: RawAnswer;
}

export interface AskParts {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly fetch: typeof fetch;
  readonly logger: ModelLogger | undefined;
  readonly quirks: QuirkMemory;
  readonly now: () => number;
  /** Gets the current activity, for people. */
  readonly say: (doing: string) => void;
}

/** Asks the model with the same client as sessions. Never rejects. */
export async function askModel(question: Question, parts: AskParts, signal: AbortSignal): Promise<Answer> {
  const { baseUrl, model, apiKey, logger, quirks, now, say } = parts;
  const tap = new AnswerTap();
  const provider = createOpenAIProvider({
    baseUrl,
    apiKey,
    // Loading a model may take minutes; the person can stop.
    silenceTimeoutMs: null,
    fetch: tap.wrap(parts.fetch),
    logger,
    quirks,
  });
  const request = {
    model,
    // Every real request has a system prompt.
    systemPrompt: question.systemPrompt ?? 'Do exactly what you are asked, in as few words as you can.',
    messages: question.messages,
    tools: question.tools ?? [],
    sampling: { maxTokens: question.maxTokens },
  };
  const startedMs = now();
  const rejections: string[] = [];
  let firstTokenMs: number | undefined;
  for await (const event of provider.stream(request, { signal })) {
    switch (event.type) {
      case 'status':
        if (event.status === 'loading_model') say(l10n.t('The server is loading the model'));
        else if (event.status === 'prefilling') say(l10n.t('Waiting for the model to begin'));
        else if (event.status === 'generating') say(l10n.t('The model is answering'));
        break;
      case 'text_delta':
      case 'thinking_delta':
      case 'tool_use_start':
        firstTokenMs ??= now() - startedMs;
        break;
      case 'warning':
        rejections.push(event.message);
        break;
      case 'response_end':
        return { ...read(event.content), stopReason: event.stopReason, rejections, firstTokenMs, raw: tap.answer };
      case 'error':
        return { ...read(event.partial), error: event.error, rejections, firstTokenMs, raw: tap.answer };
      case 'prompt_progress':
      case 'tool_use_delta':
      case 'block_end':
      case 'retry':
      case 'malformed_chunk':
        break;
      default:
        assertNever(event);
    }
  }
  throw new Error('The provider ended without a response and without an error.');
}

type Content = readonly ({ readonly type: 'text' | 'thinking'; readonly text: string } | ToolUseBlock | ToolUseError)[];

function read(content: Content): Pick<Answer, 'text' | 'thinking' | 'calls' | 'brokenCalls'> {
  const textOf = (type: 'text' | 'thinking'): string =>
    content.map((block) => (block.type === type ? block.text : '')).join('');
  return {
    text: textOf('text'),
    thinking: textOf('thinking'),
    calls: content.filter((block) => block.type === 'tool_use'),
    brokenCalls: content.filter((block) => block.type === 'tool_use_error'),
  };
}
