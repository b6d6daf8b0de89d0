import { useLayoutEffect, useRef } from 'preact/hooks';
import type { SessionSummary } from '../../protocol/messages';
import { relativeTime } from '../format/relativeTime';
import { useNow } from '../state/useNow';
import { useStore } from '../state/usePanel';
import { Icon } from './Icon';
import { moveFocus } from './moveFocus';

interface SessionListProperties {
  readonly sessions: readonly SessionSummary[];
  readonly activeSessionId: string | undefined;
  readonly onClose: () => void;
}

/** The past sessions, newest first; arrow keys move, Enter opens, Escape goes back. */
export function SessionList({ sessions, activeSessionId, onClose }: SessionListProperties) {
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const now = useNow(false);
  useLayoutEffect(() => {
    const first =
      list.current?.querySelector<HTMLElement>('[aria-current="true"]') ?? list.current?.querySelector('button');
    (first ?? list.current)?.focus();
  }, []);
  return (
    <div
      class="session-list"
      ref={list}
      role="region"
      aria-label="Past sessions"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
        else if (moveFocus(event.key, list.current, 'button')) event.preventDefault();
      }}
    >
      <h3>Past sessions</h3>
      {sessions.length === 0 && <p class="muted session-none">No past sessions in this workspace yet.</p>}
      <ul>
        {sessions.map((session) => (
          <li key={session.id}>
            <button
              type="button"
              class="session"
              title={session.title}
              aria-current={session.id === activeSessionId ? 'true' : undefined}
              onClick={() => {
                if (session.id !== activeSessionId) store.post({ type: 'openSession', sessionId: session.id });
                onClose();
              }}
            >
              <Icon name={session.isRunning ? 'loading' : 'comment-discussion'} isSpinning={session.isRunning} />
              <span class="session-name">{session.title === '' ? 'Untitled session' : session.title}</span>
              <span class="muted session-time">
                {session.isRunning ? 'running' : relativeTime(session.updatedMs, now)}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
