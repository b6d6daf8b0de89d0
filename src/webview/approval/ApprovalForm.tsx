import * as l10n from '../../util/l10n';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { assertNever } from '../../util/assertNever';
import { useSelected, useStore } from '../state/usePanel';
import { CommandQuestion } from './CommandQuestion';
import { DiffView } from './DiffView';
import { HunkList } from './HunkList';
import { Icon } from '../controls/Icon';
import { ForeignToolQuestion } from './ForeignToolQuestion';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';
import { MoreMenu } from '../controls/menu/MoreMenu';
import { lastingAnswers } from './lastingAnswers';
import { useSteadyForm } from './useSteadyForm';
import { commonReason, takesKeys } from './waitingQuestions';

interface ApprovalProperties {
  readonly approval: ApprovalSummary;
  readonly sessionId: string;
  /** The decision was sent. */
  readonly isAnswered: boolean;
  readonly onAnswered: () => void;
}

type Decision =
  { type: 'approve'; remember?: 'session' | 'workspace'; acceptsEdits?: true } | { type: 'deny'; reason?: string };

function yesLabel(kind: ApprovalSummary['kind']): string {
  if (kind === 'edit') return l10n.t('Accept');
  return kind === 'read' ? l10n.t('Read') : l10n.t('Run');
}

/** An approval request: the whole proposal, the reason why it asks, and the buttons. */
export function ApprovalForm({ approval, sessionId, isAnswered, onAnswered }: ApprovalProperties) {
  const store = useStore();
  const [isDenying, setIsDenying] = useState(false);
  const [isDiffOpened, setIsDiffOpened] = useState(false);
  const denyButton = useRef<HTMLButtonElement>(null);
  const isBack = useRef(false);
  useLayoutEffect(() => {
    if (isBack.current && !isDenying) denyButton.current?.focus();
    isBack.current = isDenying;
  }, [isDenying]);
  const { requestId } = approval;
  const unshownLines = approval.kind === 'edit' ? (approval.unshownLines ?? 0) : 0;
  const isUnread = unshownLines > 0 && !isDiffOpened;
  const isOfSeveral = approval.kind === 'edit' && approval.files !== undefined;
  const noLabel = approval.kind === 'edit' ? l10n.t('Reject') : l10n.t('Deny');
  const answer = (decision: Decision): void => {
    store.answer({ ...decision, sessionId, requestId });
    onAnswered();
  };
  const openDiff = (): void => {
    setIsDiffOpened(true);
    store.post({ type: 'openDiff', sessionId, requestId });
  };
  // The bar above the prompt says it once for all.
  const isReasonSaid = useSelected(
    ({ session }) => approval.kind === 'edit' && commonReason(session) === approval.reason,
  );
  const form = useRef<HTMLDivElement>(null);
  const steady = useSteadyForm(form);
  const actions = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const note = (isInView: boolean): void => store.sight.note(requestId, isInView, performance.now());
    const observer = new IntersectionObserver((entries) => note(entries.at(-1)?.isIntersecting === true));
    if (actions.current !== null) observer.observe(actions.current);
    return () => {
      observer.disconnect();
      note(false);
    };
  }, [requestId, isDenying]);
  return (
    <div class="approval" role="group" aria-label={l10n.t('Question')} ref={form} {...steady}>
      {approval.askedBy === 'endpoint' && (
        <p class="approval-asker">
          <Icon name="broadcast" />
          <span>{l10n.t('A program asks for this, through the endpoint.')}</span>
        </p>
      )}
      {approval.askedBy === 'chat' && (
        <p class="approval-asker">
          <Icon name="comment-discussion" />
          <span>{l10n.t('The chat @openagent in VS Code asks for this.')}</span>
        </p>
      )}
      <ApprovalSubject approval={approval} sessionId={sessionId} isAnswered={isAnswered} />
      {!isReasonSaid && (
        <p class="muted approval-reason">
          {approval.kind === 'command' && approval.conditions?.map((condition) => `${condition}. `)}
          <VisibleText text={approval.reason} kind="path" />
          {/* After a sentence comes a sentence. */}
          {approval.kind === 'command' && approval.conditions?.length && !approval.reason.endsWith('.') ? '.' : ''}
        </p>
      )}
      {isUnread && (
        <p class="approval-warning" role="status">
          <Icon name="warning" />
          <span>
            {unshownLines === 1
              ? l10n.t('1 line is not shown on this card. Read the whole change with Open Diff before you accept it.')
              : l10n.t(
                  '{0} lines are not shown on this card. Read the whole change with Open Diff before you accept it.',
                  unshownLines,
                )}
          </span>
        </p>
      )}
      {isDenying ? (
        <DenyForm
          label={noLabel}
          isAnswered={isAnswered}
          onDeny={(reason) => answer(reason === '' ? { type: 'deny' } : { type: 'deny', reason })}
          onBack={() => setIsDenying(false)}
        />
      ) : (
        <div class="button-row approval-actions" ref={actions}>
          {(isUnread || isOfSeveral) && (
            <Button
              label={l10n.t('Open Diff')}
              kind={isUnread ? 'primary' : 'secondary'}
              isDisabled={isAnswered}
              onClick={openDiff}
            />
          )}
          <Button
            label={yesLabel(approval.kind)}
            kind={!takesKeys(approval) || isUnread ? 'secondary' : 'primary'}
            isDisabled={isAnswered || isUnread}
            onClick={() => answer({ type: 'approve' })}
          />
          <Button
            label={noLabel}
            kind="secondary"
            buttonRef={denyButton}
            isDisabled={isAnswered}
            onClick={() => answer({ type: 'deny' })}
          />
          <MoreMenu
            name={l10n.t('More Answers')}
            isDisabled={isAnswered}
            actions={[
              ...(approval.kind === 'edit' && !isUnread && !isOfSeveral
                ? [{ label: l10n.t('Open Diff'), run: openDiff }]
                : []),
              {
                label: approval.kind === 'edit' ? l10n.t('Reject with Reason…') : l10n.t('Deny with Reason…'),
                run: () => setIsDenying(true),
              },
              ...(isUnread ? [] : lastingAnswers(approval, (more) => answer({ type: 'approve', ...more }))),
            ]}
          />
        </div>
      )}
    </div>
  );
}

/** The call itself, as its kind is shown; a file that is read is in the card's title. */
function ApprovalSubject({ approval, sessionId, isAnswered }: Omit<ApprovalProperties, 'onAnswered'>) {
  switch (approval.kind) {
    case 'edit': {
      const { hunks, diff, warnings, requestId } = approval;
      return (
        <>
          {hunks !== undefined ? (
            <HunkList hunks={hunks} sessionId={sessionId} requestId={requestId} isAnswered={isAnswered} />
          ) : (
            diff !== '' && <DiffView diff={diff} />
          )}
          {warnings?.map((warning) => (
            <p key={warning} class="approval-warning">
              <Icon name="warning" />
              <span>
                <VisibleText text={warning} kind="prose" />
              </span>
            </p>
          ))}
        </>
      );
    }
    case 'command':
      return <CommandQuestion {...approval} />;
    case 'mcp': {
      const { server, tool, arguments: text } = approval;
      return <ForeignToolQuestion of="server" provider={server} tool={tool} argumentsText={text} />;
    }
    case 'extension': {
      const { extension, tool, arguments: text } = approval;
      return extension === null ? (
        <ForeignToolQuestion of="editor" provider="VS Code" tool={tool} argumentsText={text} />
      ) : (
        <ForeignToolQuestion of="extension" provider={extension} tool={tool} argumentsText={text} />
      );
    }
    case 'read':
      return null;
    default:
      return assertNever(approval);
  }
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
  // Not a <form>: the webview's sandbox forbids it.
  return (
    <div class="deny">
      <input
        ref={field}
        class="field"
        type="text"
        placeholder={l10n.t('Reason (optional)')}
        aria-label={l10n.t('Reason for the model (optional)')}
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
        <Button label={label} isDisabled={isAnswered} onClick={deny} />
        <Button label={l10n.t('Back')} kind="secondary" isDisabled={isAnswered} onClick={onBack} />
      </div>
    </div>
  );
}
