import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalSummary } from '../../agent/view/sessionEvents';
import { useStore } from '../state/usePanel';
import { AllowMore } from './AllowMore';
import { CommandQuestion } from './CommandQuestion';
import { DiffView } from './DiffView';
import { HunkList } from './HunkList';
import { Icon } from '../controls/Icon';
import { ReviewAllButton } from './ReviewAllButton';
import { ServerToolQuestion } from './ServerToolQuestion';
import { VisibleText } from '../controls/VisibleText';

interface ApprovalProperties {
  readonly approval: ApprovalSummary;
  readonly sessionId: string;
  /** The decision is on its way. */
  readonly isAnswered: boolean;
  readonly onAnswered: () => void;
}

type Decision =
  { type: 'approve'; remember?: 'session' | 'workspace'; acceptsEdits?: true } | { type: 'deny'; reason?: string };

const yesLabels = { edit: 'Accept', command: 'Run', read: 'Read', mcp: 'Run', extension: 'Run' } as const;

/** An approval request: the whole proposal, the reason why it asks, and the buttons. */
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
  const noLabel = approval.kind === 'edit' ? 'Reject' : 'Deny';
  const answer = (decision: Decision): void => {
    store.answer({ ...decision, sessionId, requestId });
    onAnswered();
  };
  return (
    <div class="approval">
      {approval.askedBy === 'endpoint' && (
        <p class="approval-asker">
          <Icon name="broadcast" /> A program asks for this, through the endpoint.
        </p>
      )}
      {approval.askedBy === 'chat' && (
        <p class="approval-asker">
          <Icon name="comment-discussion" /> This was asked for in VS Code’s chat, as @openagent.
        </p>
      )}
      {approval.command !== undefined && <CommandQuestion {...approval} command={approval.command} />}
      {approval.serverTool && <ServerToolQuestion {...approval.serverTool} />}
      {approval.extensionTool && (
        <ServerToolQuestion
          {...approval.extensionTool}
          of={approval.extensionTool.extension === null ? '' : 'the extension'}
          server={approval.extensionTool.extension ?? 'VS Code'}
        />
      )}
      {approval.hunks !== undefined ? (
        <HunkList hunks={approval.hunks} sessionId={sessionId} requestId={requestId} isAnswered={isAnswered} />
      ) : (
        approval.diff !== undefined && approval.diff !== '' && <DiffView diff={approval.diff} />
      )}
      {approval.warnings?.map((warning) => (
        <p key={warning} class="approval-warning">
          <Icon name="warning" /> <VisibleText text={warning} kind="prose" />
        </p>
      ))}
      <p class="muted approval-reason">
        {approval.conditions?.map((condition) => `${condition}. `)}
        <VisibleText text={approval.reason} kind="path" />
      </p>
      {isDenying ? (
        <DenyForm
          label={noLabel}
          isAnswered={isAnswered}
          onDeny={(reason) => answer(reason === '' ? { type: 'deny' } : { type: 'deny', reason })}
          onBack={() => setIsDenying(false)}
        />
      ) : (
        <>
          <div class="button-row">
            <button
              type="button"
              class={approval.isSensitive ? 'button secondary' : 'button'}
              disabled={isAnswered}
              onClick={() => answer({ type: 'approve' })}
            >
              {yesLabels[approval.kind]}
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
            {approval.kind === 'edit' && <ReviewAllButton sessionId={sessionId} isAnswered={isAnswered} />}
            <button
              type="button"
              class="button secondary"
              ref={denyButton}
              disabled={isAnswered}
              onClick={() => setIsDenying(true)}
            >
              {noLabel}…
            </button>
          </div>
          <AllowMore
            approval={approval}
            isAnswered={isAnswered}
            onAllow={(more) => answer({ type: 'approve', ...more })}
          />
        </>
      )}
    </div>
  );
}

interface DenyProperties {
  readonly label: string;
  readonly isAnswered: boolean;
  readonly onDeny: (reason: string) => void;
  readonly onBack: () => void;
}

function DenyForm({ label, isAnswered, onDeny, onBack }: DenyProperties) {
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
        aria-label="Reason for the model (optional)"
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
          {label}
        </button>
        <button type="button" class="button secondary" disabled={isAnswered} onClick={onBack}>
          Back
        </button>
      </div>
    </div>
  );
}
