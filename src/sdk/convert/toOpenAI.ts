import { checkMessage } from '../images/imagePart';
import type { Message } from '../messages';
import type { ReplayReasoning, ToolDefinition } from '../model/modelProvider';
import { withImageLaws } from '../model/wire/wireImages';
import { isCall } from '../run/toolCalls/call';
import { toWireMessages } from '../model/wire/wireMessages';
import { toWireTools } from '../model/wire/wireRequest';
import type { OpenAIMessage, OpenAITool } from './openaiTypes';

/** What `toOpenAIMessages` adds to or leaves out of a history. */
export interface OpenAIMessagesOptions {
  /** Becomes the first message. Default: none. */
  readonly systemPrompt?: string | undefined;
  /** Which thinking the messages keep. Default: `auto`. */
  readonly replayReasoning?: ReplayReasoning | undefined;
}

/**
 * The messages of chat completions for a history, as the client sends them, so that every server accepts them: user and
 * assistant alternate, each call has one result right after it, and ids are unique. What is missing is filled in with a
 * short text. Calls with unreadable arguments have none. Texts that a model would read as its own markup are defused.
 * Throws `invalid_options` for an image that cannot be used, for example an address.
 */
export function toOpenAIMessages(
  history: readonly Message[],
  { systemPrompt = '', replayReasoning }: OpenAIMessagesOptions = {},
): OpenAIMessage[] {
  // The types of the `openai` package allow images in messages of the user only.
  const laws = { images: true, resultImages: 'user' } as const;
  const wire = withImageLaws(toWireMessages(systemPrompt, history.map(checkMessage), replayReasoning), laws);
  const last = history.findLast(({ role }) => role !== 'tool');
  // A request ends with a user's message or results. Here a history may end with an answer. After calls, the images of their
  // results may come last, as a user's message.
  const endsWithAnswer = last?.role === 'assistant' ? !last.content.some(isCall) : last === undefined;
  const isFilledIn = endsWithAnswer && wire.at(-1)?.role === 'user';
  return structuredClone(isFilledIn ? wire.slice(0, -1) : wire) as OpenAIMessage[];
}

/** The tools of chat completions for tools of this library. */
export function toOpenAITools(tools: readonly ToolDefinition[]): OpenAITool[] {
  return structuredClone(toWireTools(tools));
}
