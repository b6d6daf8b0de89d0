import type { JsonObject } from '../../util/json';
import type { AgentConfiguration } from './chooseAgent';
import type { CallerWishes, SamplingWishes } from './sessionClient';

/** A configuration with a caller's wishes for one answer. */
export function withWishes(configuration: AgentConfiguration, wishes: CallerWishes = {}): AgentConfiguration {
  const { systemPrompt = '', maxTokens = null, sampling = {} } = wishes;
  const { temperature, topP, topK, reasoningEffort } = sampling;
  const limits = [configuration.maxTokens ?? null, maxTokens].filter((limit) => limit !== null);
  const extra = extraFields(sampling);
  return {
    ...configuration,
    systemPrompt: [configuration.systemPrompt, systemPrompt].filter((part) => part.trim() !== '').join('\n\n'),
    ...(limits.length > 0 && { maxTokens: Math.min(...limits) }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(topK !== undefined && { topK }),
    ...(reasoningEffort !== undefined && { reasoningEffort }),
    ...(Object.keys(extra).length > 0 && { extraBody: { ...configuration.extraBody, ...extra } }),
  };
}

/** The parameters without a setting of their own, as the server's API names them. */
function extraFields({ seed, frequencyPenalty, presencePenalty }: SamplingWishes): JsonObject {
  return {
    ...(seed !== undefined && { seed }),
    ...(frequencyPenalty !== undefined && { frequency_penalty: frequencyPenalty }),
    ...(presencePenalty !== undefined && { presence_penalty: presencePenalty }),
  };
}
