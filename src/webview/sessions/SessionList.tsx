import * as l10n from '../../util/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PanelState } from '../../protocol/toWebview';
import { useNow } from '../state/useNow';
import { useStore } from '../state/usePanel';
import { IconButton } from '../controls/IconButton';
import { moveFocus } from '../controls/moveFocus';
import { SessionRow } from './SessionRow';

interface SessionListProperties {
  readonly panel: PanelState;
  readonly onClose: () => void;
}

const searchDelayMs = 150;

/** The past sessions, newest first. Arrow keys move, Enter opens, Escape closes. */
export function SessionList({ panel, onClose }: SessionListProperties) {
  const store = useStore();
  const list = useRef<HTMLDivElement>(null);
  const { sessions, sessionCount, sessionQuery, sessionFailure, activeSessionId } = panel;
  const [query, setQuery] = useState(sessionQuery);
  const isSearching = query !== sessionQuery;
  const now = useNow(false);
  useLayoutEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current="true"]');
    (current ?? list.current?.querySelector<HTMLElement>('.session') ?? list.current)?.focus();
  }, []);
  useEffect(() => {
    if (!isSearching) return;
    const timer = setTimeout(() => store.post({ type: 'searchSessions', query }), searchDelayMs);
    return () => clearTimeout(timer);
  }, [query, isSearching, store]);
  return (
    <div
      class="session-list"
      ref={list}
      role="region"
      aria-label={l10n.t('Past Sessions')}
      tabIndex={-1}
      onKeyDown={(event) => {
        const isTyping = event.target instanceof HTMLInputElement;
        if (event.key === 'Escape') onClose();
        else if (isTyping && event.key !== 'ArrowDown') return;
        else if (moveFocus(event.key, list.current, '.session')) event.preventDefault();
      }}
    >
      <div class="session-search">
        <input
          type="search"
          class="text-field"
          placeholder={l10n.t('Search sessions')}
          aria-label={l10n.t('Search sessions')}
          value={query}
          maxLength={500}
          onInput={(event) => setQuery(event.currentTarget.value)}
        />
        <IconButton
          icon="folder-opened"
          label={l10n.t('Import Session…')}
          onClick={() => store.post({ type: 'runCommand', command: 'importSession' })}
        />
        <IconButton
          icon="trash"
          label={l10n.t('Restore Deleted Session…')}
          onClick={() => store.post({ type: 'runCommand', command: 'restoreSession' })}
        />
      </div>
      {isSearching ? (
        <p class="muted session-none" role="status">
          {l10n.t('Searching…')}
        </p>
      ) : sessionFailure === undefined ? (
        sessions.length === 0 && (
          <p class="muted session-none">
            {sessionQuery === ''
              ? l10n.t('No past sessions in this workspace yet.')
              : l10n.t('No session contains these words.')}
          </p>
        )
      ) : (
        <p class="session-none" role="alert">
          {l10n.t('The sessions could not be read: {0}', sessionFailure)}
        </p>
      )}
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isActive={session.id === activeSessionId}
            now={now}
            onClose={onClose}
          />
        ))}
      </ul>
      {!isSearching && sessionCount > sessions.length && (
        <p class="muted session-none">
          {sessionQuery === ''
            ? l10n.t('{0} older sessions are not shown. Search to find them.', sessionCount - sessions.length)
            : l10n.t('{0} older sessions match as well. Add a word to find them.', sessionCount - sessions.length)}
        </p>
      )}
    </div>
  );
}
