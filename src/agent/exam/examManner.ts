import * as l10n from '../../util/l10n';
import type { AgentConfiguration } from '../configuration/chooseAgent';
import { modelOptionsFor } from '../servers/model/modelOptions';
import type { ExamManner } from './results/examResult';

/** How a configuration asks the model. */
export function mannerOf({ temperature = null, thinking = null, model, modelOptions }: AgentConfiguration): ExamManner {
  const { toolCalls } = modelOptionsFor(modelOptions, model);
  return { temperature, toolCalls: toolCalls === 'text' ? 'text' : 'native', thinking };
}

/** The configuration with another manner. */
export function inManner(configuration: AgentConfiguration, manner: ExamManner): AgentConfiguration {
  const { model, modelOptions } = configuration;
  return {
    ...configuration,
    temperature: manner.temperature,
    thinking: manner.thinking,
    modelOptions:
      manner.toolCalls === 'text'
        ? { ...modelOptions, [model]: { ...modelOptions[model], toolCalls: 'text' } }
        : modelOptions,
  };
}

/** The manner in a few words, as it differs from the usual. */
export function mannerWords({ toolCalls, thinking, temperature }: ExamManner): string {
  const words = [
    toolCalls === 'text' && l10n.t('tools as text'),
    thinking === false && l10n.t('no thinking'),
    temperature !== null && l10n.t('temperature {0}', temperature),
  ].filter((word) => word !== false);
  return words.length === 0 ? l10n.t("the server's defaults") : words.join(', ');
}
