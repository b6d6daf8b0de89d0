import * as l10n from '../../util/l10n';
import { showCard } from '../approval/answerByKey';
import { goneTextWithin, statusText } from '../../agent/view/statusTexts';
import type { Activity, SessionView } from '../../agent/view/sessionView';
import { formatSeconds } from '../../agent/view/duration';
import { formatSpeed, promptReading } from '../../agent/view/promptReading';
import { formatTokens } from '../format/tokens';
import { useNow } from '../state/useNow';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

/** The text of the line, without times and numbers. */
export function activityText(session: SessionView): string {
  switch (session.state) {
    case 'idle':
      return '';
    case 'stopping':
      return l10n.t('Stopping');
    case 'waiting_for_approval':
      return l10n.t('Waiting for your approval');
    case 'running':
      return session.activity === undefined ? runningText(session) : waitingText(session.activity);
  }
}

interface StatusLineProperties {
  readonly session: SessionView;
  readonly clockOffsetMs: number;
  /** Called when the person wants to see the approval request. */
  readonly onShowQuestion: () => void;
  /** The bar of waiting edits says already that something waits. */
  readonly isSaidByBar?: boolean | undefined;
}

/** What the agent or the server is doing, and for how long. */
export function StatusLine({ session, clockOffsetMs, onShowQuestion, isSaidByBar = false }: StatusLineProperties) {
  const isActive = session.state !== 'idle';
  const now = useNow(isActive);
  const isWaiting = session.state === 'waiting_for_approval';
  if (!isActive || (isWaiting && isSaidByBar)) return null;
  const { activity } = session;
  const retry = isWaiting ? undefined : activity?.retry;
  const isGone = retry?.goneLongestMs !== undefined;
  const hasNoClock = activity === undefined || isWaiting || (retry !== undefined && !isGone);
  const elapsedMs = hasNoClock ? 0 : now - clockOffsetMs - activity.sinceMs;
  return (
    <div class="activity">
      <div class="activity-row">
        <Icon name={isWaiting ? 'question' : 'loading'} isSpinning={!isWaiting} />
        <span class="activity-text">
          {activityText(session)}
          {retry !== undefined && !isGone && (
            <span class="muted"> {retryText(retry.untilMs - (now - clockOffsetMs))}</span>
          )}
          {!isWaiting && activity?.detail !== undefined && (
            <span class="muted">
              {' '}
              · <VisibleText text={activity.detail} kind="path" />
            </span>
          )}
          {!isWaiting && <ProgressText activity={activity} />}
        </span>
        {elapsedMs >= 1000 && <span class="muted elapsed">{formatSeconds(elapsedMs)}</span>}
        {isWaiting && <Button label={l10n.t('Show')} kind="link" onClick={onShowQuestion} />}
      </div>
      {activity?.status === 'prefilling' && activity.progress !== undefined && !isWaiting && (
        <progress
          class="progress-line prompt-progress"
          max={activity.progress.total}
          value={activity.progress.processed}
          aria-label={l10n.t('Reading the prompt')}
        />
      )}
    </div>
  );
}

function ProgressText({ activity }: { readonly activity: Activity | undefined }) {
  if (activity?.status !== 'prefilling' || activity.progress === undefined) return null;
  const reading = promptReading(activity.progress);
  if (reading === undefined) return null;
  const { percent, tokensPerSecond, leftMs } = reading;
  return (
    <span class="muted">
      {' '}
      {l10n.t('{0} % of {1} tokens', percent, formatTokens(activity.progress.total))}
      {tokensPerSecond !== undefined && ` · ${formatSpeed(tokensPerSecond)}`}
      {leftMs !== undefined && ` · ${l10n.t('{0} left', formatSeconds(leftMs))}`}
    </span>
  );
}

function waitingText({ status, retry }: Activity): string {
  if (retry === undefined) return statusText(status);
  if (retry.goneLongestMs === undefined) return l10n.t('Trying again ({0} of {1})', retry.attempt, retry.maxRetries);
  return goneTextWithin(retry.goneLongestMs);
}

function retryText(leftMs: number): string {
  return leftMs >= 500 ? l10n.t('in {0}', formatSeconds(Math.round(leftMs / 1000) * 1000)) : l10n.t('now');
}

function runningText(session: SessionView): string {
  const last = session.items.at(-1);
  return last?.kind === 'tool' && last.state === 'running' ? l10n.t('Running a tool') : l10n.t('Working');
}

/** Scrolls to the card that asks and focuses it. Does nothing when the page has no such card. */
export function showQuestion(session: SessionView): void {
  const asking = session.items.find((item) => item.kind === 'tool' && item.state === 'awaiting_approval');
  if (asking) showCard(asking.id);
}
