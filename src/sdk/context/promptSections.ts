import type { Message } from '../messages';
import type { ModelRequest } from '../model/modelProvider';
import { toWireTools } from '../model/wire/wireRequest';
import { estimatePromptTokens, estimateTokens } from './tokenCount';

/** The parts of a prompt, each in tokens. Estimates, also where a server has counted the whole. */
export interface PromptSections {
  readonly system: number;
  readonly tools: number;
  /** What the user and the model wrote, with the model's calls. */
  readonly conversation: number;
  /** The results of tools. */
  readonly results: number;
}

/** Splits a prompt of `total` tokens. The sections add up to `total`. */
export function sectionsOf(prompt: ModelRequest, total: number): PromptSections {
  const { systemPrompt, messages, tools, replayReasoning } = prompt;
  const estimate = (list: readonly Message[]): number =>
    list.length === 0 ? 0 : estimatePromptTokens({ systemPrompt: '', messages: list, tools: [], replayReasoning });
  const system = estimatePromptTokens({ systemPrompt, messages: [], tools: [] });
  const described = tools.length === 0 ? 0 : estimateTokens(JSON.stringify(toWireTools(tools)));
  const results = estimate(messages.filter(({ role }) => role === 'tool'));
  const conversation = estimate(messages.filter(({ role }) => role !== 'tool'));
  const factor = total / Math.max(1, system + described + results + conversation);
  const shares = [system, described, results].map((tokens) => Math.floor(tokens * factor));
  const [first = 0, second = 0, third = 0] = shares;
  return { system: first, tools: second, results: third, conversation: total - first - second - third };
}
