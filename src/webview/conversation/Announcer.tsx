import * as l10n from '../../util/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../agent/view/sessionView';
import { titleText, toolTitle } from '../format/toolTitle';
import { activityText } from './StatusLine';

interface AnnouncerProperties {
  readonly session: SessionView | undefined;
  /** The person stopped the newest run. */
  readonly wasStopped: boolean;
}

/** Announces each change of state to screen readers once. Never reads the text of an answer. Failures are alerts. */
export function Announcer({ session, wasStopped }: AnnouncerProperties) {
  const [message, setMessage] = useState('');
  const before = useRef(session);
  const text = session === undefined ? '' : announcement(session);
  useEffect(() => {
    const isSame = before.current?.sessionId === session?.sessionId;
    if (text !== '') setMessage(text);
    else if (session === undefined || !isSame || (before.current?.state ?? 'idle') === 'idle') setMessage('');
    else setMessage(wasStopped ? l10n.t('Open Agent has stopped.') : ending(session));
    before.current = session;
  }, [text, session?.sessionId]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {message}
    </div>
  );
}

/** How a run that nobody stopped has ended. */
function ending({ items }: SessionView): string {
  const lastWork = items.findLastIndex(({ kind }) => kind !== 'notice');
  const notices = items.slice(lastWork + 1).flatMap((item) => (item.kind === 'notice' ? [item.notice] : []));
  if (notices.some(({ severity }) => severity === 'error')) return '';
  const question = notices.find(({ actions }) => actions.includes('continue'));
  return question?.message ?? l10n.t('Open Agent has finished.');
}

function announcement(session: SessionView): string {
  const asking = session.items.find((item) => item.kind === 'tool' && item.state === 'awaiting_approval');
  if (session.state !== 'waiting_for_approval' || asking?.kind !== 'tool') return activityText(session);
  return l10n.t('Needs your approval: {0}', titleText(toolTitle(asking)));
}
