import type { AgentConfiguration } from './chooseAgent';
import type { CallerWishes } from './createClient';

/** A configuration with what a caller wants of one answer. */
export function withWishes(configuration: AgentConfiguration, wishes: CallerWishes = {}): AgentConfiguration {
  const { systemPrompt = '', maxTokens = null, temperature, topP } = wishes;
  const limits = [configuration.maxTokens ?? null, maxTokens].filter((limit) => limit !== null);
  return {
    ...configuration,
    systemPrompt: [configuration.systemPrompt, systemPrompt].filter((part) => part.trim() !== '').join('\n\n'),
    ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
  };
}
