import * as l10n from '../../util/l10n';
import type { SessionSummary } from '../../protocol/toWebview';
import { visibleText } from '../../util/text/visibleText';
import { relativeTime } from '../format/relativeTime';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import type { IconName } from '../controls/icons';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';

interface SessionRowProperties {
  readonly session: SessionSummary;
  readonly isActive: boolean;
  readonly now: number;
  readonly onClose: () => void;
}

/** A past session and its actions. */
export function SessionRow({ session, isActive, now, onClose }: SessionRowProperties) {
  const store = useStore();
  const { id: sessionId, isRunning, isForeign } = session;
  const origin = isForeign ? l10n.t('command line') : session.isServed ? l10n.t('endpoint') : '';
  const title = session.title === '' ? l10n.t('Untitled session') : visibleText(session.title, 'prose');
  return (
    <li class="session-row">
      <button
        type="button"
        class="session"
        title={title}
        aria-current={isActive ? 'true' : undefined}
        onClick={() => {
          if (!isActive) store.post({ type: 'openSession', sessionId });
          onClose();
        }}
      >
        <Icon name={iconOf(session)} isSpinning={isRunning && !session.isWaiting} />
        <span class="session-title">
          <VisibleText text={session.title === '' ? title : session.title} kind="prose" />
        </span>
        <span class="muted session-facts">
          {origin}
          <span class={isRunning ? undefined : 'session-time'}>
            {origin === '' ? '' : ', '}
            {session.isWaiting
              ? l10n.t('waits for you')
              : isRunning
                ? l10n.t('running')
                : relativeTime(session.updatedMs, now)}
          </span>
        </span>
        {session.piece && (
          <span class="muted session-piece">
            <VisibleText text={session.piece.before} kind="prose" />
            <mark>
              <VisibleText text={session.piece.found} kind="prose" />
            </mark>
            <VisibleText text={session.piece.after} kind="prose" />
          </span>
        )}
      </button>
      <span class="session-actions">
        {!isForeign && (
          <IconButton
            icon="edit"
            label={l10n.t('Rename {0}', title)}
            onClick={() => store.post({ type: 'sessionAction', sessionId, action: 'rename' })}
          />
        )}
        <IconButton
          icon="repo-forked"
          label={l10n.t('Fork {0}', title)}
          onClick={() => {
            store.post({ type: 'forkSession', sessionId });
            onClose();
          }}
        />
        <IconButton
          icon="export"
          label={l10n.t('Export {0}', title)}
          onClick={() => store.post({ type: 'sessionAction', sessionId, action: 'export' })}
        />
        {!isForeign && (
          <IconButton
            icon="trash"
            label={l10n.t('Delete {0}', title)}
            onClick={() => store.post({ type: 'sessionAction', sessionId, action: 'delete' })}
          />
        )}
      </span>
    </li>
  );
}

function iconOf({ isRunning, isWaiting, isForeign, isServed, hasFailed }: SessionSummary): IconName {
  if (isWaiting) return 'question';
  if (isRunning) return 'loading';
  if (hasFailed) return 'warning';
  if (isForeign) return 'terminal';
  return isServed ? 'broadcast' : 'comment-discussion';
}
