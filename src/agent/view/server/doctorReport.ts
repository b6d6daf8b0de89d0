import * as l10n from '../../../util/l10n';
import { assertNever } from '../../../util/assertNever';

/** The checks, in their order. */
export type CheckId =
  | 'server'
  | 'model'
  | 'streaming'
  | 'native_tools'
  | 'text_tools'
  | 'parallel_calls'
  | 'tool_result'
  | 'reasoning'
  | 'context_window'
  | 'prompt_cache'
  | 'slots';

/** `advice`: works, could be better · `unknown`: the server does not tell · `skipped`: makes no sense here. */
export type FindingStatus = 'ok' | 'advice' | 'problem' | 'unknown' | 'skipped';

/** A change that helps. */
export interface Remedy {
  /** One or two sentences with the exact flag, variable or setting. */
  readonly text: string;
  /** Only the flag, variable or command, to copy. */
  readonly copy?: string | undefined;
  /** A setting of Open Agent, as `openAgent.` and its name. */
  readonly setting?: RemedySetting | undefined;
  readonly action?: 'setApiKey' | 'selectModel' | undefined;
}

export const remedySettings = ['openAgent.baseUrl', 'openAgent.contextWindow', 'openAgent.maxTokens'] as const;
export type RemedySetting = (typeof remedySettings)[number];

/** The result of one check. `detail` may quote the server or the model: show it as text, never as markup. */
export interface Finding {
  readonly id: CheckId;
  readonly title: string;
  readonly status: FindingStatus;
  readonly detail: string;
  readonly remedy?: Remedy | undefined;
}

/** One line of the report. `doing`: the current activity. */
export type DoctorCheck =
  | { readonly id: CheckId; readonly title: string; readonly status: 'waiting' }
  | { readonly id: CheckId; readonly title: string; readonly status: 'running'; readonly doing: string }
  | Finding;

/** The report about a server and a model, while it is made and afterwards. Holds no key and no header. */
export interface DoctorReport {
  readonly state: 'running' | 'finished' | 'stopped';
  /** Empty when none is set and none was found. */
  readonly baseUrl: string;
  /** `llama.cpp`, `Ollama`, …; absent until it is known. */
  readonly serverName?: string | undefined;
  /** Empty until it is known. */
  readonly model: string;
  readonly checks: readonly DoctorCheck[];
}

/** The checks that have a result, in order. */
export function findingsOf(report: DoctorReport): readonly Finding[] {
  return report.checks.filter((check) => isFinding(check));
}

export function isFinding(check: DoctorCheck): check is Finding {
  return check.status !== 'waiting' && check.status !== 'running';
}

/** The report in one sentence, such as `1 problem, 2 pieces of advice, 1 not known, 6 fine.` */
export function summaryOf(report: DoctorReport): string {
  const count = (status: FindingStatus): number => findingsOf(report).filter((each) => each.status === status).length;
  const [problems, advice, unknown, fine] = [count('problem'), count('advice'), count('unknown'), count('ok')];
  const parts = [
    problems > 0 && (problems === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', problems)),
    advice > 0 && (advice === 1 ? l10n.t('1 piece of advice') : l10n.t('{0} pieces of advice', advice)),
    unknown > 0 && l10n.t('{0} not known', unknown),
    fine > 0 && l10n.t('{0} fine', fine),
  ].filter((part) => part !== false);
  const counts = parts.length === 0 ? l10n.t('Nothing was found out') : parts.join(', ');
  return report.state === 'stopped' ? l10n.t('Stopped. {0}.', counts) : `${counts}.`;
}

/** Whether the model can be worked with: no check found a problem, and some way of tool calls works if they were tried. */
export function isUsable(report: DoctorReport): boolean {
  const findings = findingsOf(report);
  const ofTools = findings.filter(({ id }) => id === 'native_tools' || id === 'text_tools');
  const isInDoubt =
    ofTools.some(({ status }) => status === 'unknown') && ofTools.every(({ status }) => status !== 'ok');
  return !isInDoubt && findings.every(({ status }) => status !== 'problem');
}

/** The label of a result. */
export function statusLabel(status: FindingStatus): string {
  switch (status) {
    case 'ok':
      return l10n.t('OK');
    case 'advice':
      return l10n.t('Advice');
    case 'problem':
      return l10n.t('Problem');
    case 'unknown':
      return l10n.t('Not known');
    case 'skipped':
      return l10n.t('Skipped');
    default:
      return assertNever(status);
  }
}

/** The lines about server and model before the findings. */
export function reportHead({ serverName, baseUrl, model }: DoctorReport): string {
  const none = l10n.t('none');
  const named = serverName === undefined ? baseUrl : l10n.t('{0} at {1}', serverName, baseUrl);
  return [l10n.t('Server: {0}', baseUrl === '' ? none : named), l10n.t('Model: {0}', model === '' ? none : model)].join(
    '\n',
  );
}

/** Where a report is read. It decides how the text says to change a setting. */
export type ReportPlace = 'editor' | 'terminal';

/** A finding as lines of plain text, without a line break at the end. */
export function findingText({ title, status, detail, remedy }: Finding, place: ReportPlace): string {
  const lines = [`[${statusLabel(status)}] ${title}: ${detail}`];
  if (remedy) lines.push(`  -> ${remedy.text}`);
  if (remedy?.copy !== undefined) lines.push(`     ${remedy.copy}`);
  if (remedy?.setting !== undefined) {
    const isFlag = place === 'terminal' && remedy.setting === 'openAgent.baseUrl';
    lines.push(isFlag ? '     --base-url URL' : `     ${l10n.t('Setting: {0}', remedy.setting)}`);
  }
  if (remedy?.action !== undefined) lines.push(`     ${actionText(remedy.action, place)}`);
  return lines.join('\n');
}

function actionText(action: NonNullable<Remedy['action']>, place: ReportPlace): string {
  if (place === 'terminal') return action === 'setApiKey' ? 'OPEN_AGENT_API_KEY' : '--model NAME';
  return action === 'setApiKey'
    ? l10n.t('Command: Open Agent: Set API Key…')
    : l10n.t('Command: Open Agent: Select Model…');
}

/** The whole report as plain text, to paste into a message. */
export function reportText(report: DoctorReport): string {
  const findings = findingsOf(report).map((finding) => findingText(finding, 'editor'));
  return [
    l10n.t('Open Agent: check of server and model'),
    reportHead(report),
    summaryOf(report),
    '',
    ...findings,
    '',
  ].join('\n');
}
