import { useEffect, useRef, useState } from 'preact/hooks';
import type { SessionView } from '../../agent/view/sessionView';
import { visibleText } from '../../util/visibleText';
import { toolTitle } from '../format/toolTitle';
import { activityText } from './StatusLine';

/** Announces each change of state to screen readers once. Never reads the text of an answer. */
export function Announcer({ session }: { readonly session: SessionView | undefined }) {
  const [message, setMessage] = useState('');
  const wasRunning = useRef(false);
  const sessionId = useRef(session?.sessionId);
  const text = session === undefined ? '' : announcement(session);
  useEffect(() => {
    const isRunning = session !== undefined && session.state !== 'idle';
    const isOther = sessionId.current !== session?.sessionId;
    if (text !== '') setMessage(text);
    else if (wasRunning.current && !isOther) setMessage('Open Agent has finished.');
    else setMessage('');
    wasRunning.current = isRunning;
    sessionId.current = session?.sessionId;
  }, [text, session?.sessionId]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {message}
    </div>
  );
}

function announcement(session: SessionView): string {
  const asking = session.items.find((item) => item.kind === 'tool' && item.state === 'awaiting_approval');
  if (session.state !== 'waiting_for_approval' || asking?.kind !== 'tool') return activityText(session);
  const { verb, target } = toolTitle(asking);
  return `Needs your approval: ${verb} ${visibleText(target, 'path')}`;
}
