import * as l10n from '../../util/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { findingsOf, reportText, summaryOf, type DoctorReport } from '../../agent/view/server/doctorReport';
import { visibleText } from '../../util/text/visibleText';
import { useStore } from '../state/usePanel';
import { CopyButton } from '../controls/CopyButton';
import { DoctorCheckView } from './DoctorCheckView';
import { IconButton } from '../controls/IconButton';
import { VisibleText } from '../controls/VisibleText';
import { Button } from '../controls/Button';

interface DoctorViewProperties {
  readonly report: DoctorReport;
  readonly onSelectModel: () => void;
}

/** The check of server and model: its progress, findings and remedies. Escape closes it. */
export function DoctorView({ report, onSelectModel }: DoctorViewProperties) {
  const store = useStore();
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  const isRunning = report.state === 'running';
  const close = (): void => {
    store.post({ type: 'closeDoctor' });
    store.focusComposer();
  };
  return (
    <section
      class="doctor"
      aria-labelledby="doctor-title"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close();
      }}
    >
      <div class="doctor-head">
        <h3 id="doctor-title" ref={heading} tabIndex={-1}>
          {l10n.t('Check of server and model')}
        </h3>
        <IconButton icon="close" label={l10n.t('Close Check')} onClick={close} />
      </div>
      <Subject report={report} />
      <p class="doctor-summary">{isRunning ? progressOf(report) : summaryOf(report)}</p>
      <progress class="progress-line" max={report.checks.length} value={findingsOf(report).length} hidden={!isRunning}>
        {progressOf(report)}
      </progress>
      <div class="button-row">
        {isRunning ? (
          <Button label={l10n.t('Stop')} onClick={() => store.post({ type: 'stopDoctor' })} />
        ) : (
          <Button label={l10n.t('Check Again')} onClick={() => store.post({ type: 'startDoctor' })} />
        )}
        {!isRunning && report.model !== '' && (
          <Button
            label={l10n.t('Examine Models…')}
            kind="secondary"
            onClick={() => store.post({ type: 'runCommand', command: 'examineModels' })}
          />
        )}
        {!isRunning && <CopyButton text={reportText(report)} label={l10n.t('Copy Report')} />}
      </div>
      <ul class="doctor-checks" aria-label={l10n.t('Checks')}>
        {report.checks.map((check) => (
          <DoctorCheckView key={check.id} check={check} onSelectModel={onSelectModel} />
        ))}
      </ul>
      <div class="visually-hidden" role="status" aria-live="polite">
        {announcement(report)}
      </div>
    </section>
  );
}

function Subject({ report }: { readonly report: DoctorReport }) {
  const { serverName, baseUrl, model } = report;
  if (baseUrl === '') return null;
  return (
    <p class="muted doctor-subject">
      <VisibleText text={model === '' ? l10n.t('No model') : model} kind="path" /> ·{' '}
      <VisibleText text={serverName === undefined ? baseUrl : l10n.t('{0} at {1}', serverName, baseUrl)} kind="path" />
    </p>
  );
}

function progressOf(report: DoctorReport): string {
  return l10n.t('Checking, {0} of {1} done. It takes about a minute.', findingsOf(report).length, report.checks.length);
}

/** The text for screen readers: each check as it begins, then the summary. */
function announcement(report: DoctorReport): string {
  if (report.state !== 'running') return l10n.t('The check has ended. {0}', summaryOf(report));
  const current = report.checks.find(({ status }) => status === 'running');
  if (current?.status !== 'running') return '';
  return l10n.t('Checking: {0}. {1}', current.title, visibleText(current.doing, 'path'));
}
