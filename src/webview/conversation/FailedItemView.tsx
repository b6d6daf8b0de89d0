import * as l10n from '../../util/l10n';
import type { ToolItem, ViewItem } from '../../agent/view/sessionView';
import { useStore } from '../state/usePanel';
import { Button } from '../controls/Button';
import { DrawingFailure } from '../controls/DrawingFailure';
import { ErrorBoundary } from '../controls/ErrorBoundary';
import { VisibleText } from '../controls/VisibleText';

interface FailedProperties {
  readonly item: ViewItem;
  readonly sessionId: string;
  readonly isAnswered: boolean;
  readonly onRetry: () => void;
}

/** Stands for an item that could not be drawn: its plain text, or the buttons that stop or refuse its call. */
export function FailedItemView({ item, sessionId, isAnswered, onRetry }: FailedProperties) {
  const text = item.kind === 'text' || item.kind === 'thinking' || item.kind === 'prompt' ? item.text : '';
  return (
    <DrawingFailure
      name={item.kind === 'tool' ? l10n.t('This call') : l10n.t('This message')}
      onRetry={onRetry}
      buttons={item.kind === 'tool' && <CallButtons item={item} sessionId={sessionId} isAnswered={isAnswered} />}
    >
      {item.kind === 'tool' && item.approval !== undefined && (
        <p>
          {item.approval.kind === 'edit'
            ? l10n.t('It waits for your answer: read it with Open Diff and accept it there, or reject it here.')
            : l10n.t('It waits for your answer. Because you cannot see it, you can only deny it here.')}
        </p>
      )}
      {text !== '' && (
        <ErrorBoundary
          fallback={() => <p>{l10n.t('Its text could not be shown either. Export the session to read it.')}</p>}
        >
          <div class="markdown-plain failed-text" tabIndex={0} role="group" aria-label={l10n.t('Plain text')}>
            <VisibleText text={text} kind="prose" />
          </div>
        </ErrorBoundary>
      )}
    </DrawingFailure>
  );
}

function CallButtons({ item, sessionId, isAnswered }: Omit<FailedProperties, 'item' | 'onRetry'> & { item: ToolItem }) {
  const store = useStore();
  const { approval } = item;
  if (item.state === 'running')
    return (
      <Button
        label={l10n.t('Stop')}
        kind="secondary"
        onClick={() => store.post({ type: 'stopTool', sessionId, toolUseId: item.id })}
      />
    );
  if (approval === undefined) return null;
  const { requestId } = approval;
  return (
    <>
      {approval.kind === 'edit' && (
        <Button
          label={l10n.t('Open Diff')}
          kind="secondary"
          isDisabled={isAnswered}
          onClick={() => store.post({ type: 'openDiff', sessionId, requestId })}
        />
      )}
      <Button
        label={approval.kind === 'edit' ? l10n.t('Reject') : l10n.t('Deny')}
        kind="secondary"
        isDisabled={isAnswered}
        onClick={() => store.answer({ type: 'deny', sessionId, requestId })}
      />
    </>
  );
}
