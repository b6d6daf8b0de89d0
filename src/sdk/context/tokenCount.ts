import { estimateImageTokens } from '../../util/images/imageTokens';
import { imageHeaderOf, imagesOfContent } from '../images/imagePart';
import type { Message, Usage } from '../messages';
import type { ModelRequest } from '../model/modelProvider';
import { wireText } from '../model/wire/wireImages';
import { toWireMessages } from '../model/wire/wireMessages';
import { toWireTools } from '../model/wire/wireRequest';

/** The length of a prompt. */
export interface TokenCount {
  readonly tokens: number;
  /** `false`: a server counted exactly this. */
  readonly isEstimate: boolean;
}

type Prompt = Pick<ModelRequest, 'systemPrompt' | 'messages' | 'tools' | 'replayReasoning'>;

/** Tokens that a chat template adds to each message. */
const TOKENS_PER_MESSAGE = 4;
/** Characters per token of English text and code, with the vocabularies of current open models. */
export const CHARACTERS_PER_TOKEN = 4;
/** Characters per token of scripts other than Latin. */
const TOKENS_PER_WIDE_CHARACTER = 0.7;

/** Estimates the tokens of a text for an unknown model. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2ff) wide += 1;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide * TOKENS_PER_WIDE_CHARACTER);
}

/** Estimates the tokens of a prompt: instructions, tools, and messages as they are sent. */
export function estimatePromptTokens(prompt: Prompt): number {
  const wire = toWireMessages(prompt.systemPrompt, prompt.messages, prompt.replayReasoning);
  const tools = prompt.tools.length === 0 ? 0 : estimateTokens(JSON.stringify(toWireTools(prompt.tools)));
  return wire.reduce(
    (sum, message) => sum + TOKENS_PER_MESSAGE + estimateTokens(textOf(message)),
    tools + imageTokensOf(prompt.messages),
  );
}

/** Estimates the tokens of the images of messages. */
export function imageTokensOf(messages: readonly Message[]): number {
  let tokens = 0;
  for (const message of messages) {
    const images =
      message.role === 'user'
        ? imagesOfContent(message.content)
        : message.role === 'tool'
          ? (message.content.images ?? [])
          : [];
    for (const image of images) {
      const header = imageHeaderOf(image);
      if (header) tokens += estimateImageTokens(header);
    }
  }
  return tokens;
}

/** Estimates the tokens that messages add to a prompt. */
export function estimateMessageTokens(messages: readonly Message[]): number {
  return estimatePromptTokens({ systemPrompt: '', messages, tools: [] });
}

/** Counts prompts for one model. Responses that report their usage scale the estimates. */
export class TokenCounter {
  #scale = 1;
  #isCalibrated = false;
  #counted: { readonly prompt: Prompt; readonly tokens: number } | undefined;

  get isCalibrated(): boolean {
    return this.#isCalibrated;
  }

  /** Learns from the server's count of a prompt. Ignores impossible counts and returns `false` for them. */
  observe(prompt: Prompt, usage: Pick<Usage, 'promptTokens'>): boolean {
    const estimate = estimatePromptTokens(prompt);
    const ratio = usage.promptTokens / estimate;
    // Ollama drops the start of a long prompt and reports the rest. That says nothing about the text.
    if (!Number.isFinite(ratio) || ratio < 0.4 || ratio > 4) return false;
    this.#scale = ratio;
    this.#isCalibrated = true;
    this.#counted = { prompt, tokens: usage.promptTokens };
    return true;
  }

  /** Length of a prompt in tokens. */
  count(prompt: Prompt): TokenCount {
    if (this.#counted && isSamePrompt(this.#counted.prompt, prompt)) {
      return { tokens: this.#counted.tokens, isEstimate: false };
    }
    return { tokens: this.scale(estimatePromptTokens(prompt)), isEstimate: true };
  }

  /** Corrects an estimate by what was learned. */
  scale(estimate: number): number {
    return Math.ceil(estimate * this.#scale);
  }
}

function isSamePrompt(one: Prompt, other: Prompt): boolean {
  return (
    one.systemPrompt === other.systemPrompt &&
    one.replayReasoning === other.replayReasoning &&
    one.messages.length === other.messages.length &&
    one.messages.every((message, index) => message === other.messages[index]) &&
    one.tools.length === other.tools.length &&
    one.tools.every((tool, index) => tool === other.tools[index])
  );
}

type WireMessage = ReturnType<typeof toWireMessages>[number];

function textOf(message: WireMessage): string {
  if (message.role !== 'assistant') return wireText(message.content);
  const { content, reasoning_content: reasoning = '', tool_calls: calls = [] } = message;
  const written = calls.map((call) => `${call.function.name} ${call.function.arguments}`);
  return [content, reasoning, ...written].join(' ');
}
