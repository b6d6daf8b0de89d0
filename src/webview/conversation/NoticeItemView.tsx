import * as l10n from '../../util/l10n';
import type { NoticeAction, SessionNotice, NoticeItem } from '../../agent/view/sessionView';
import { assertNever } from '../../util/assertNever';
import type { FromWebview } from '../../protocol/fromWebview';
import { useStore } from '../state/usePanel';
import { Icon } from '../controls/Icon';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

const icons = { info: 'info', warning: 'warning', error: 'error' } as const;
const labels = (): Readonly<Record<NoticeAction, string>> => ({
  retry: l10n.t('Retry'),
  continue: l10n.t('Continue'),
  openSettings: l10n.t('Open Settings'),
  selectModel: l10n.t('Select Model'),
  setApiKey: l10n.t('Set API Key…'),
  setUpModel: l10n.t('Set Up a Model on This Machine…'),
  setAddress: l10n.t('Enter Address…'),
  checkServer: l10n.t('Check Server'),
  showLog: l10n.t('Show Log'),
  undoRestore: l10n.t('Undo'),
  reviewEdits: l10n.t('Review'),
  reviewRun: l10n.t('Review'),
  keepRun: l10n.t('Keep'),
  undoRun: l10n.t('Undo'),
  undoRepair: l10n.t('Undo Repair'),
  forgetQuirks: l10n.t('Forget'),
  showQuirks: l10n.t('Details'),
});

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
                label={labels()[action]}
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
          label={l10n.t('Dismiss')}
          onClick={() => store.post({ type: 'dismissNotice', sessionId, noticeId: notice.id })}
        />
      )}
    </section>
  );
}

function severityLabel(notice: SessionNotice): string {
  return notice.severity === 'info'
    ? l10n.t('Note')
    : notice.severity === 'warning'
      ? l10n.t('Warning')
      : l10n.t('Error');
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
    case 'setUpModel':
    case 'setAddress':
    case 'showLog':
      return { type: 'runCommand', command: action };
    default:
      return assertNever(action);
  }
}
