import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { useStore } from '../state/usePanel';
import { DiffView } from './DiffView';
import { Icon } from './Icon';
import { VisibleText } from './VisibleText';

interface ApprovalProperties {
  readonly approval: ApprovalSummary;
  readonly sessionId: string;
  /** The decision is on its way. */
  readonly isAnswered: boolean;
  readonly onAnswered: () => void;
}

/** What a person is asked: the whole proposal, why it asks, and the buttons. */
export function ApprovalForm({ approval, sessionId, isAnswered, onAnswered }: ApprovalProperties) {
  const store = useStore();
  const [isDenying, setIsDenying] = useState(false);
  const denyButton = useRef<HTMLButtonElement>(null);
  const isBack = useRef(false);
  useLayoutEffect(() => {
    if (isBack.current && !isDenying) denyButton.current?.focus();
    isBack.current = isDenying;
  }, [isDenying]);
  const { requestId } = approval;
  const answer = (decision: { type: 'approve' } | { type: 'deny'; reason?: string }): void => {
    store.answer({ ...decision, sessionId, requestId });
    onAnswered();
  };
  return (
    <div class="approval">
      {approval.command !== undefined && (
        <pre class="command" aria-label="Command">
          <VisibleText text={approval.command} kind="command" />
        </pre>
      )}
      {approval.diff !== undefined && approval.diff !== '' && <DiffView diff={approval.diff} />}
      {approval.warnings?.map((warning) => (
        <p key={warning} class="approval-warning">
          <Icon name="warning" /> {warning}
        </p>
      ))}
      <p class="muted approval-reason">
        {approval.kind === 'command' && (
          <>
            In <VisibleText text={approval.displayPath === '' ? '.' : approval.displayPath} kind="path" />.{' '}
          </>
        )}
        {approval.reason}
      </p>
      {isDenying ? (
        <DenyForm
          isAnswered={isAnswered}
          onDeny={(reason) => answer(reason === '' ? { type: 'deny' } : { type: 'deny', reason })}
          onBack={() => setIsDenying(false)}
        />
      ) : (
        <div class="button-row">
          <button type="button" class="button" disabled={isAnswered} onClick={() => answer({ type: 'approve' })}>
            {approval.kind === 'edit' ? 'Apply' : 'Allow'}
          </button>
          {approval.kind === 'edit' && (
            <button
              type="button"
              class="button secondary"
              disabled={isAnswered}
              onClick={() => store.post({ type: 'openDiff', sessionId, requestId })}
            >
              Open Diff
            </button>
          )}
          <button
            type="button"
            class="button secondary"
            ref={denyButton}
            disabled={isAnswered}
            onClick={() => setIsDenying(true)}
          >
            Deny…
          </button>
        </div>
      )}
    </div>
  );
}

interface DenyProperties {
  readonly isAnswered: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

function DenyForm({ isAnswered, onDeny, onBack }: DenyProperties) {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.focus(), []);
  const deny = (): void => onDeny(field.current?.value.trim() ?? '');
  // Not a form: the webview's sandbox has none.
  return (
    <div class="deny">
      <input
        ref={field}
        class="field"
        type="text"
        placeholder="Reason for the model (optional)"
        aria-label="Reason for the denial, optional"
        maxLength={2000}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === 'Enter') deny();
          else if (event.key === 'Escape') onBack();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="button-row">
        <button type="button" class="button" disabled={isAnswered} onClick={deny}>
          Deny
        </button>
        <button type="button" class="button secondary" disabled={isAnswered} onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}
