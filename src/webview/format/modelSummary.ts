import * as l10n from '../../util/l10n';
import type { ModelSummary } from '../../agent/view/server/connectionState';
import { examLine } from '../../agent/view/server/examGrade';
import { formatWindow } from './tokens';

type Source = NonNullable<ModelSummary['windowSource']>;

/** The source of a context window, to follow its number. */
export function windowSourceText(source: Source): string {
  switch (source) {
    case 'setting':
      return l10n.t('from your settings');
    case 'loaded':
      return l10n.t('as the server has loaded it');
    case 'advertised':
      return l10n.t('the most that the model can take; the server may load it with less');
    case 'assumed':
      return l10n.t('assumed, because the server does not say');
  }
}

const signs: Readonly<Record<Source, string>> = { setting: '', loaded: '', advertised: '≤ ', assumed: '≈ ' };

/** A short context window: `32k`; `≤ 128k` if the server may load less, `≈ 4k` if it is assumed. */
export function windowLabel({ contextWindow, windowSource }: ModelSummary): string | undefined {
  if (contextWindow === undefined) return undefined;
  return `${windowSource === undefined ? '' : signs[windowSource]}${formatWindow(contextWindow)}`;
}

/** All facts about a model in words, for tooltips and screen readers. */
export function describeModel(model: ModelSummary): string {
  const { id, contextWindow, windowSource, isLoaded, hasVision, hasTools, toolCalls, learned, exam } = model;
  const facts = [
    exam !== undefined && l10n.t('exam: {0}', examLine(exam)),
    isLoaded !== undefined && (isLoaded ? l10n.t('loaded') : l10n.t('not loaded')),
    contextWindow !== undefined && windowText(contextWindow, windowSource),
    hasVision && l10n.t('takes images'),
    hasTools === false && l10n.t('was not made to call tools'),
    toolCalls !== undefined &&
      (toolCalls === 'native' ? l10n.t('tool calls set to native') : l10n.t('tool calls set to text')),
    learned !== undefined && l10n.t('learned: {0}', learned.join(', ')),
  ];
  return [id, ...facts.filter((fact) => typeof fact === 'string')].join(', ');
}

function windowText(tokens: number, source: ModelSummary['windowSource']): string {
  return source === undefined
    ? l10n.t('{0} tokens of context', tokens)
    : l10n.t('{0} tokens of context ({1})', tokens, windowSourceText(source));
}
