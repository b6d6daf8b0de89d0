import type { ModelSummary } from '../../protocol/messages';
import { formatWindow } from './tokens';

type Source = NonNullable<ModelSummary['windowSource']>;

/** Who says how much a model can hold, after the number. */
export const windowSources: Readonly<Record<Source, string>> = {
  setting: 'from your settings',
  loaded: 'as the server has loaded it',
  advertised: 'the most that the model can take; the server may load it with less',
  assumed: 'assumed, because the server does not say',
};

const signs: Readonly<Record<Source, string>> = { setting: '', loaded: '', advertised: '≤ ', assumed: '≈ ' };

/** A window for a narrow place: `32k`; `≤ 128k` where less may be loaded, `≈ 4k` where it is assumed. */
export function windowLabel({ contextWindow, windowSource }: ModelSummary): string | undefined {
  if (contextWindow === undefined) return undefined;
  return `${windowSource === undefined ? '' : signs[windowSource]}${formatWindow(contextWindow)}`;
}

/** All of it in words, for tooltips and screen readers. */
export function describeModel(model: ModelSummary): string {
  const { id, contextWindow, windowSource, isLoaded, hasVision, hasTools, toolCalls, learned } = model;
  const source = windowSource === undefined ? '' : ` (${windowSources[windowSource]})`;
  const facts = [
    isLoaded !== undefined && (isLoaded ? 'loaded' : 'not loaded'),
    contextWindow !== undefined && `${contextWindow} tokens of context${source}`,
    hasVision && 'takes images',
    hasTools === false && 'was not made to call tools',
    toolCalls !== undefined && `tool calls set to ${toolCalls}`,
    learned !== undefined && `learned: ${learned.join(', ')}`,
  ];
  return [id, ...facts.filter((fact) => typeof fact === 'string')].join(', ');
}
