import type { NoticeAction, SessionNotice, NoticeItem } from '../../agent/view/sessionView';
import { assertNever } from '../../util/assertNever';
import type { FromWebview } from '../../protocol/fromWebview';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

const icons = { info: 'info', warning: 'warning', error: 'error' } as const;
const labels: Readonly<Record<NoticeAction, string>> = {
  retry: 'Retry',
  continue: 'Continue',
  openSettings: 'Open Settings',
  selectModel: 'Select Model',
  setApiKey: 'Set API Key…',
  checkServer: 'Check Server',
  showLog: 'Show Log',
  undoRestore: 'Undo',
  reviewEdits: 'Review',
  reviewRun: 'Review',
  keepRun: 'Keep',
  undoRun: 'Undo',
  undoRepair: 'Undo Repair',
  forgetQuirks: 'Forget',
  showQuirks: 'Details',
};

/** Actions that are disabled during a run. */
const idleActions: ReadonlySet<NoticeAction> = new Set(['retry', 'continue', 'undoRestore', 'undoRun', 'undoRepair']);

interface NoticeProperties {
  readonly item: NoticeItem;
  readonly sessionId: string;
  readonly isRunning: boolean;
  /** It tells about an earlier run: nothing can be done about it here. */
  readonly isOver: boolean;
  readonly onSelectModel: () => void;
}

/** A message to the person, with buttons for the next step. */
export function NoticeItemView({ item, sessionId, isRunning, isOver, onSelectModel }: NoticeProperties) {
  const store = useStore();
  const { notice } = item;
  const actions = isOver ? [] : notice.actions;
  const start = (action: NoticeAction): void => {
    if (action === 'selectModel') onSelectModel();
    else store.post(intentOf(action, sessionId, notice));
  };
  return (
    <section class={`notice notice-${notice.severity}`} role="group" aria-label={severityLabel(notice)}>
      <Icon name={icons[notice.severity]} />
      <div class="notice-body">
        {/* Read out at once. Other notices do not stop the work. */}
        <p role={notice.severity === 'error' ? 'alert' : undefined}>
          <VisibleText text={notice.message} kind="code" />
        </p>
        {actions.length > 0 && (
          <div class="button-row">
            {actions.map((action, index) => (
              <Button
                key={action}
                label={labels[action]}
                kind={index === 0 ? 'primary' : 'secondary'}
                isDisabled={isRunning && idleActions.has(action)}
                onClick={() => start(action)}
              />
            ))}
          </div>
        )}
      </div>
      {!actions.includes('keepRun') && (
        <IconButton
          icon="close"
          label="Dismiss"
          onClick={() => store.post({ type: 'dismissNotice', sessionId, noticeId: notice.id })}
        />
      )}
    </section>
  );
}

function severityLabel(notice: SessionNotice): string {
  return notice.severity === 'info' ? 'Note' : notice.severity === 'warning' ? 'Warning' : 'Error';
}

function intentOf(
  action: Exclude<NoticeAction, 'selectModel'>,
  sessionId: string,
  { id: noticeId, promptId = '' }: SessionNotice,
): FromWebview {
  switch (action) {
    case 'keepRun':
      return { type: 'dismissNotice', sessionId, noticeId };
    case 'reviewRun':
    case 'undoRun':
      return { type: action, sessionId, promptId };
    case 'retry':
      return { type: 'retry', sessionId };
    case 'continue':
      return { type: 'continue', sessionId };
    case 'undoRestore':
    case 'undoRepair':
      return { type: action, sessionId, noticeId };
    case 'reviewEdits':
      return { type: 'reviewEdits', sessionId, noticeId };
    case 'forgetQuirks':
      return { type: 'forgetQuirks' };
    case 'showQuirks':
      return { type: 'runCommand', command: 'forgetServerQuirks' };
    case 'checkServer':
      return { type: 'startDoctor' };
    case 'openSettings':
    case 'setApiKey':
    case 'showLog':
      return { type: 'runCommand', command: action };
    default:
      return assertNever(action);
  }
}
