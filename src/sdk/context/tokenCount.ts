import type { Message, Usage } from '../messages';
import type { ModelRequest } from '../model/modelProvider';
import { toWireMessages } from '../model/wire/wireMessages';
import { toWireTools } from '../model/wire/wireRequest';

export interface TokenCount {
  readonly tokens: number;
  /** `false` only when a server counted exactly this. */
  readonly isEstimate: boolean;
}

type Prompt = Pick<ModelRequest, 'systemPrompt' | 'messages' | 'tools' | 'replayReasoning'>;

/** What a chat template puts around each message. */
const TOKENS_PER_MESSAGE = 4;
/** Of English text and code in the vocabularies of current open models. */
const CHARACTERS_PER_TOKEN = 4;
/** Of scripts that are not written with the Latin alphabet. */
const TOKENS_PER_WIDE_CHARACTER = 0.7;

/** About how many tokens a text is, without knowing the model. */
export function estimateTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x2ff) wide += 1;
  return Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN + wide * TOKENS_PER_WIDE_CHARACTER);
}

/** About how many tokens a server reads for a prompt: instructions, tools, and the messages as they are sent. */
export function estimatePromptTokens(prompt: Prompt): number {
  const wire = toWireMessages(prompt.systemPrompt, prompt.messages, prompt.replayReasoning);
  const tools = prompt.tools.length === 0 ? 0 : estimateTokens(JSON.stringify(toWireTools(prompt.tools)));
  return wire.reduce((sum, message) => sum + TOKENS_PER_MESSAGE + estimateTokens(textOf(message)), tools);
}

/** About how many tokens messages add to a prompt. */
export function estimateMessageTokens(messages: readonly Message[]): number {
  return estimatePromptTokens({ systemPrompt: '', messages, tools: [] });
}

/**
 * Counts prompts for one model. Every response that reports its usage makes the estimates better: they are scaled by
 * what the server counted for what was estimated.
 */
export class TokenCounter {
  #scale = 1;
  #isCalibrated = false;
  #counted: { readonly prompt: Prompt; readonly tokens: number } | undefined;

  get isCalibrated(): boolean {
    return this.#isCalibrated;
  }

  /** Learns from what the server counted for a prompt. Counts that cannot be right are passed over, and give `false`. */
  observe(prompt: Prompt, usage: Pick<Usage, 'promptTokens'>): boolean {
    const estimate = estimatePromptTokens(prompt);
    const ratio = usage.promptTokens / estimate;
    // Ollama drops the start of a prompt that is too long and reports the rest: that says nothing about the text.
    if (!Number.isFinite(ratio) || ratio < 0.4 || ratio > 4) return false;
    this.#scale = ratio;
    this.#isCalibrated = true;
    this.#counted = { prompt, tokens: usage.promptTokens };
    return true;
  }

  /** How long a prompt is. */
  count(prompt: Prompt): TokenCount {
    if (this.#counted && isSamePrompt(this.#counted.prompt, prompt)) {
      return { tokens: this.#counted.tokens, isEstimate: false };
    }
    return { tokens: this.scale(estimatePromptTokens(prompt)), isEstimate: true };
  }

  /** An estimate of this module, corrected by what was learned. */
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
  if (message.role !== 'assistant') return message.content;
  const { content, reasoning_content: reasoning = '', tool_calls: calls = [] } = message;
  const written = calls.map((call) => `${call.function.name} ${call.function.arguments}`);
  return [content, reasoning, ...written].join(' ');
}
