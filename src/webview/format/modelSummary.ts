import type { ModelSummary } from '../../agent/view/server/connectionState';
import { examLine } from '../../agent/view/server/examGrade';
import { formatWindow } from './tokens';

type Source = NonNullable<ModelSummary['windowSource']>;

/** The source of a context window, to follow its number. */
export const windowSources: Readonly<Record<Source, string>> = {
  setting: 'from your settings',
  loaded: 'as the server has loaded it',
  advertised: 'the most that the model can take; the server may load it with less',
  assumed: 'assumed, because the server does not say',
};

const signs: Readonly<Record<Source, string>> = { setting: '', loaded: '', advertised: '≤ ', assumed: '≈ ' };

/** A short context window: `32k`; `≤ 128k` if the server may load less, `≈ 4k` if it is assumed. */
export function windowLabel({ contextWindow, windowSource }: ModelSummary): string | undefined {
  if (contextWindow === undefined) return undefined;
  return `${windowSource === undefined ? '' : signs[windowSource]}${formatWindow(contextWindow)}`;
}

/** All facts about a model in words, for tooltips and screen readers. */
export function describeModel(model: ModelSummary): string {
  const { id, contextWindow, windowSource, isLoaded, hasVision, hasTools, toolCalls, learned, exam } = model;
  const source = windowSource === undefined ? '' : ` (${windowSources[windowSource]})`;
  const facts = [
    exam !== undefined && `exam: ${examLine(exam)}`,
    isLoaded !== undefined && (isLoaded ? 'loaded' : 'not loaded'),
    contextWindow !== undefined && `${contextWindow} tokens of context${source}`,
    hasVision && 'takes images',
    hasTools === false && 'was not made to call tools',
    toolCalls !== undefined && `tool calls set to ${toolCalls}`,
    learned !== undefined && `learned: ${learned.join(', ')}`,
  ];
  return [id, ...facts.filter((fact) => typeof fact === 'string')].join(', ');
}
