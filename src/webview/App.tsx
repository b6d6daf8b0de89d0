import * as l10n from '../util/l10n';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useSelected, useStore } from './state/usePanel';
import { useStableCallback } from './state/useStableCallback';
import { StatusLine, showQuestion } from './conversation/StatusLine';
import { Announcer } from './conversation/Announcer';
import { Banners } from './server/Banners';
import { Composer } from './composer/Composer';
import { FitNote } from './composer/FitNote';
import { answerByKey, answerOfKey } from './approval/answerByKey';
import { QuestionBar } from './approval/QuestionBar';
import { waitingEdits } from './approval/waitingQuestions';
import { EmptyState } from './EmptyState';
import { Header } from './Header';
import { FailedPart, PanelPart } from './PanelPart';
import { applyCodeAt } from './markdown/code/codeActions';
import { MessageList } from './conversation/MessageList';
import { RunningBar } from './conversation/RunningBar';
import { DoctorView, PlanBar, ReadOnlyBar, SessionList, WaitingPrompts } from './lazyViews';
import { ErrorBoundary } from './controls/ErrorBoundary';
import { openLinkAt } from './controls/openLinkAt';

/** The whole panel. An error in one part leaves the other parts usable, and the person can always stop the run. */
export function App() {
  return (
    <ErrorBoundary fallback={(onRetry) => <FailedPart name={l10n.t('The panel')} onRetry={onRetry} />}>
      <Panel />
    </ErrorBoundary>
  );
}

function Panel() {
  const store = useStore();
  // Not the draft: typing draws only the composer again.
  const panel = useSelected((state) => state.panel);
  const session = useSelected((state) => state.session);
  const wasStopped = useSelected((state) => state.wasStopped);
  const answeredRequests = useSelected((state) => state.answeredRequests);
  const clockOffsetMs = useSelected((state) => state.clockOffsetMs);
  const focusRequests = useSelected((state) => state.focusRequests);
  const [isListOpen, setIsListOpen] = useState(false);
  const [isModelMenuOpen, setIsModelMenuOpen] = useState(false);
  const listButton = useRef<HTMLButtonElement>(null);
  const openModelMenu = useStableCallback(() => setIsModelMenuOpen(true));
  const isChecking = panel?.doctor?.state === 'running';
  useEffect(() => {
    // What leads to the field, such as the status bar, leads to the conversation above it.
    if (isChecking || focusRequests > 0) setIsListOpen(false);
  }, [isChecking, focusRequests]);
  if (panel === undefined) return <div class="panel" aria-busy="true" />;

  const hasMessages = session !== undefined && session.items.length > 0;
  const showAsking = (): void => {
    setIsListOpen(false);
    if (panel.doctor !== undefined) store.post({ type: 'closeDoctor' });
    // The conversation may not be on screen yet.
    requestAnimationFrame(() => session !== undefined && showQuestion(session));
  };
  const closeList = (): void => {
    setIsListOpen(false);
    listButton.current?.focus();
  };
  return (
    <div
      class="panel"
      onClick={(event) => openLinkAt(event.target, store) || applyCodeAt(event.target, store)}
      onKeyDown={(event) => {
        const answer = answerOfKey(event);
        if (answer && !isTyping(event.target) && answerByKey(store, answer, performance.now())) event.preventDefault();
        else if (event.key === 'Enter' && openLinkAt(event.target, store)) event.preventDefault();
      }}
    >
      <PanelPart name={l10n.t('The title')}>
        <Header
          title={session === undefined || session.title === '' ? l10n.t('New session') : session.title}
          isListOpen={isListOpen}
          onToggleList={() => (isListOpen ? closeList() : setIsListOpen(true))}
          listButton={listButton}
        />
      </PanelPart>
      <main class="main">
        <PanelPart name={isListOpen ? l10n.t('The list of sessions') : l10n.t('This view')} subject={isListOpen}>
          {isListOpen ? (
            <SessionList panel={panel} onClose={closeList} />
          ) : panel.doctor !== undefined ? (
            <DoctorView report={panel.doctor} onSelectModel={openModelMenu} />
          ) : hasMessages ? (
            <MessageList
              key={session.sessionId}
              session={session}
              answeredRequests={answeredRequests}
              clockOffsetMs={clockOffsetMs}
              onSelectModel={openModelMenu}
            />
          ) : (
            <EmptyState panel={panel} />
          )}
        </PanelPart>
      </main>
      <footer class="footer">
        <PanelPart name={l10n.t('A message about the server')}>
          <Banners panel={panel} session={session} />
        </PanelPart>
        <PanelPart name={l10n.t('The list of running commands')}>
          <RunningBar commands={panel.commands} clockOffsetMs={clockOffsetMs} />
        </PanelPart>
        <PanelPart name={l10n.t('The state of the run')}>
          {session !== undefined && (
            <StatusLine
              session={session}
              clockOffsetMs={clockOffsetMs}
              onShowQuestion={showAsking}
              isSaidByBar={waitingEdits(session, answeredRequests).length >= 2}
            />
          )}
        </PanelPart>
        <PanelPart name={l10n.t('The answers for all waiting edits')}>
          <QuestionBar onShowQuestion={showAsking} />
        </PanelPart>
        <PanelPart name={l10n.t('The way out of plan mode')}>
          {session !== undefined && <PlanBar session={session} panel={panel} />}
        </PanelPart>
        <PanelPart name={l10n.t('The list of messages not sent yet')}>
          {session !== undefined && <WaitingPrompts session={session} />}
        </PanelPart>
        <PanelPart name={l10n.t('A note about the length of the message')}>
          {session?.readOnly === undefined && <FitNote panel={panel} />}
        </PanelPart>
        <PanelPart name={l10n.t('The field for messages')}>
          {session?.readOnly === undefined ? (
            <Composer panel={panel} isModelMenuOpen={isModelMenuOpen} onModelMenu={setIsModelMenuOpen} />
          ) : (
            <ReadOnlyBar readOnly={session.readOnly} sessionId={session.sessionId} />
          )}
        </PanelPart>
      </footer>
      <ErrorBoundary fallback={() => null} subject={session}>
        <Announcer session={session} wasStopped={wasStopped} />
      </ErrorBoundary>
    </div>
  );
}

/** Whether the focus is in a field with text, to which keys belong. */
function isTyping(target: EventTarget | null): boolean {
  const isField =
    target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type === 'text');
  return isField && (target.value !== '' || target instanceof HTMLInputElement);
}
