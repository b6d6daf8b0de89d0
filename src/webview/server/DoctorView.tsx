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
          Check of server and model
        </h3>
        <IconButton icon="close" label="Close Check" onClick={close} />
      </div>
      <Subject report={report} />
      <p class="doctor-summary">{isRunning ? progressOf(report) : summaryOf(report)}</p>
      <progress class="progress-line" max={report.checks.length} value={findingsOf(report).length} hidden={!isRunning}>
        {progressOf(report)}
      </progress>
      <div class="button-row">
        {isRunning ? (
          <Button label="Stop" onClick={() => store.post({ type: 'stopDoctor' })} />
        ) : (
          <Button label="Check Again" onClick={() => store.post({ type: 'startDoctor' })} />
        )}
        {!isRunning && report.model !== '' && (
          <Button
            label="Examine Models…"
            kind="secondary"
            onClick={() => store.post({ type: 'runCommand', command: 'examineModels' })}
          />
        )}
        {!isRunning && <CopyButton text={reportText(report)} label="Copy Report" />}
      </div>
      <ul class="doctor-checks" aria-label="Checks">
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
      <VisibleText text={model === '' ? 'No model' : model} kind="path" /> ·{' '}
      <VisibleText text={serverName === undefined ? baseUrl : `${serverName} at ${baseUrl}`} kind="path" />
    </p>
  );
}

function progressOf(report: DoctorReport): string {
  return `Checking, ${findingsOf(report).length} of ${report.checks.length} done. It takes about a minute.`;
}

/** The text for screen readers: each check as it begins, then the summary. */
function announcement(report: DoctorReport): string {
  if (report.state !== 'running') return `The check has ended. ${summaryOf(report)}`;
  const current = report.checks.find(({ status }) => status === 'running');
  if (current?.status !== 'running') return '';
  return `Checking: ${current.title}. ${visibleText(current.doing, 'path')}`;
}
