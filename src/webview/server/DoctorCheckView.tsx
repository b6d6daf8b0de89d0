import * as l10n from '../../util/l10n';
import { isFinding, statusLabel, type DoctorCheck, type Remedy } from '../../agent/view/server/doctorReport';
import { useStore } from '../state/usePanel';
import { CopyButton } from '../controls/CopyButton';
import { Icon } from '../controls/Icon';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

const icons = {
  waiting: 'circle-outline',
  running: 'loading',
  ok: 'pass',
  advice: 'lightbulb',
  problem: 'error',
  unknown: 'question',
  skipped: 'circle-slash',
} as const;

interface DoctorCheckProperties {
  readonly check: DoctorCheck;
  readonly onSelectModel: () => void;
}

/** One check: its result and its remedy. */
export function DoctorCheckView({ check, onSelectModel }: DoctorCheckProperties) {
  const { status, title } = check;
  return (
    <li class={`doctor-check doctor-${status}`}>
      <Icon name={icons[status]} isSpinning={status === 'running'} />
      <div class="doctor-check-body">
        <p class="doctor-check-title">
          <span>{title}</span> <span class="muted">{labelOf(check)}</span>
        </p>
        {isFinding(check) && (
          <p class="doctor-detail">
            <VisibleText text={check.detail} kind="code" />
          </p>
        )}
        {isFinding(check) && check.remedy && <RemedyView remedy={check.remedy} onSelectModel={onSelectModel} />}
      </div>
    </li>
  );
}

function RemedyView({ remedy, onSelectModel }: { readonly remedy: Remedy; readonly onSelectModel: () => void }) {
  const store = useStore();
  const { text, copy, setting, action } = remedy;
  const hasButtons = copy !== undefined || setting !== undefined || action !== undefined;
  return (
    <div class="doctor-remedy">
      <p>{text}</p>
      {copy !== undefined && <code>{copy}</code>}
      {hasButtons && (
        <div class="button-row">
          {copy !== undefined && <CopyButton text={copy} label={l10n.t('Copy')} />}
          {setting !== undefined && (
            <Button
              label={l10n.t('Open Setting')}
              kind="secondary"
              onClick={() => store.post({ type: 'openSetting', setting })}
            />
          )}
          {action === 'setApiKey' && (
            <Button
              label={l10n.t('Set API Key…')}
              kind="secondary"
              onClick={() => store.post({ type: 'runCommand', command: 'setApiKey' })}
            />
          )}
          {action === 'selectModel' && (
            <Button label={l10n.t('Select Model')} kind="secondary" onClick={onSelectModel} />
          )}
        </div>
      )}
    </div>
  );
}

function labelOf(check: DoctorCheck): string {
  if (isFinding(check)) return statusLabel(check.status);
  return check.status === 'running' ? `${check.doing}…` : l10n.t('Waiting');
}
