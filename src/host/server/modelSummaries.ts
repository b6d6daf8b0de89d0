import type { AgentSettings } from '../../agent/configuration/agentSettings';
import { contextWindowOf } from '../../agent/servers/model/contextWindow';
import { modelOptionsFor } from '../../agent/servers/model/modelOptions';
import type { FoundServer } from '../../agent/servers/probe/serverProbe';
import type { ModelSummary } from '../../protocol/messages';

/** The models of a server as the panel shows them: what it says of them, what is set for them, what was learned. */
export function summarizeModels(
  server: FoundServer,
  settings: Pick<AgentSettings, 'contextWindow' | 'modelOptions'>,
  learnedOf: (model: string) => readonly string[],
): readonly ModelSummary[] {
  return server.models.map(({ id, isLoaded, hasVision, hasTools }): ModelSummary => {
    const options = modelOptionsFor(settings.modelOptions, id);
    const window = contextWindowOf(id, { setting: options.contextWindow ?? settings.contextWindow, server });
    const learned = learnedOf(id);
    const { toolCalls = 'auto' } = options;
    return {
      id,
      ...(window && { contextWindow: window.tokens, windowSource: window.source }),
      ...(isLoaded !== undefined && { isLoaded }),
      ...(hasVision !== undefined && { hasVision }),
      ...(hasTools !== undefined && { hasTools }),
      ...(toolCalls !== 'auto' && { toolCalls }),
      ...(learned.length > 0 && { learned }),
    };
  });
}
