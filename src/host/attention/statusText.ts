import type { ConnectionState } from '../../agent/view/server/connectionState';
import { formatSpeed, promptReading } from '../../agent/view/promptReading';
import { goneText, statusText as modelStatusText } from '../../agent/view/statusTexts';
import type { SessionView } from '../../agent/view/sessionView';
import * as l10n from '../../util/l10n';
import { pickText } from '../notificationText';
import { questionsText, type OpenQuestion } from './openQuestions';

export interface StatusFacts {
  readonly connection: ConnectionState;
  /** `undefined`: none is in use. */
  readonly model: string | undefined;
  readonly questions: readonly OpenQuestion[];
  /** The sessions that run, the most important first. */
  readonly running: readonly Pick<SessionView, 'state' | 'activity' | 'items'>[];
  /** Of the first running session. `undefined`: not known. */
  readonly tokensPerSecond: number | undefined;
  /** What happens to the model on this machine, in a few words. Empty: nothing. */
  readonly local: string;
  /** The address at which the agent is served. `undefined`: it is not served. */
  readonly servedAt: string | undefined;
}

export interface StatusText {
  /** For the status bar, with icons as `$(name)`. */
  readonly text: string;
  /** Plain text. */
  readonly tooltip: string;
  readonly isWarning: boolean;
}

/** What the set-up of a model does while it waits for the person. */
export const pausedText = (): string => l10n.t('download paused');

/** The longest name of a model in the status bar. */
const MAX_NAME = 30;

/** One line about everything: the model, what it does or what waits, and the endpoint. */
export function statusText(facts: StatusFacts): StatusText {
  const { connection, model, questions, running, servedAt } = facts;
  const name = model === undefined ? serverText(connection) : pickText(shortName(model));
  const waits = questionsText(questions);
  const does = runText(facts) || facts.local;
  const work = does === pausedText() ? '$(debug-pause)' : does ? '$(loading~spin)' : '';
  const icon = waits ? '$(bell-dot)' : work || (isTrouble(connection) ? '$(warning)' : '$(robot)');
  const what = waits || does;
  const served = servedAt === undefined ? '' : ` $(broadcast) ${new URL(servedAt).host}`;
  return {
    text: `${icon} ${name}${what && `: ${what}`}${served}`,
    tooltip: [
      `Open Agent: ${model ?? serverText(connection)}`,
      waits && l10n.t('{0}. Click to see it.', waits),
      does &&
        (running.length > 1 ? l10n.t('Now: {0}, and {1} more.', does, running.length - 1) : l10n.t('Now: {0}.', does)),
      servedAt !== undefined && l10n.t("Serving this workspace's agent at {0}.", servedAt),
      !waits && l10n.t('Click for a menu.'),
    ]
      .filter(Boolean)
      .join('\n'),
    isWarning: waits !== '',
  };
}

/** What the first running session does, in a few words. Empty: nothing runs. */
function runText({ running: [first], tokensPerSecond }: StatusFacts): string {
  if (!first || first.state === 'idle') return '';
  if (first.state === 'stopping') return l10n.t('stopping');
  if (first.state === 'waiting_for_approval') return '';
  const { activity } = first;
  if (!activity) return first.items.at(-1)?.kind === 'tool' ? l10n.t('running a tool') : l10n.t('working');
  if (activity.retry) return activity.retry.goneLongestMs === undefined ? l10n.t('trying again') : lowered(goneText());
  const reading = activity.status === 'prefilling' && activity.progress ? promptReading(activity.progress) : undefined;
  switch (activity.status) {
    case 'prefilling':
      return reading ? l10n.t('reading {0} %', reading.percent) : l10n.t('reading');
    case 'generating':
      return tokensPerSecond === undefined ? l10n.t('writing') : l10n.t('writing {0}', formatSpeed(tokensPerSecond));
    case 'stalled':
      return l10n.t('stalled');
    default:
      return lowered(modelStatusText(activity.status));
  }
}

function serverText(connection: ConnectionState): string {
  switch (connection.kind) {
    case 'connected':
    case 'no_models':
      return l10n.t('no model');
    case 'searching':
    case 'connecting':
      return l10n.t('connecting');
    case 'not_found':
      return l10n.t('no model server');
    case 'failed':
      if (connection.isResting)
        return connection.model === undefined
          ? l10n.t('model stopped')
          : l10n.t('{0} (stopped)', pickText(shortName(connection.model)));
      return connection.isLoading ? l10n.t('connecting') : l10n.t('model server not usable');
    case 'unknown':
      return 'Open Agent';
  }
}

function isTrouble(connection: ConnectionState): boolean {
  if (connection.kind === 'failed') return !connection.isResting && !connection.isLoading;
  return connection.kind === 'not_found' || connection.kind === 'no_models';
}

/** Without the folders of a path, as `vendor/model`, and not longer than `MAX_NAME`. */
function shortName(model: string): string {
  const name = model.split(/[\\/]/).findLast((part) => part !== '') ?? model;
  return name.length > MAX_NAME ? `${name.slice(0, MAX_NAME - 1).toWellFormed()}…` : name;
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
