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
    problems > 0 && `${problems} ${problems === 1 ? 'problem' : 'problems'}`,
    advice > 0 && `${advice} ${advice === 1 ? 'piece' : 'pieces'} of advice`,
    unknown > 0 && `${unknown} not known`,
    fine > 0 && `${fine} fine`,
  ].filter((part) => part !== false);
  const counts = parts.length === 0 ? 'Nothing was found out' : parts.join(', ');
  return report.state === 'stopped' ? `Stopped. ${counts}.` : `${counts}.`;
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
      return 'OK';
    case 'advice':
      return 'Advice';
    case 'problem':
      return 'Problem';
    case 'unknown':
      return 'Not known';
    case 'skipped':
      return 'Skipped';
    default:
      return assertNever(status);
  }
}

/** The lines about server and model before the findings. */
export function reportHead({ serverName, baseUrl, model }: DoctorReport): string {
  const server = baseUrl === '' ? 'none' : serverName === undefined ? baseUrl : `${serverName} at ${baseUrl}`;
  return `Server: ${server}\nModel: ${model === '' ? 'none' : model}`;
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
    lines.push(isFlag ? '     --base-url URL' : `     Setting: ${remedy.setting}`);
  }
  if (remedy?.action !== undefined) lines.push(`     ${ACTIONS[place][remedy.action]}`);
  return lines.join('\n');
}

const ACTIONS = {
  editor: { setApiKey: 'Command: Open Agent: Set API Key…', selectModel: 'Command: Open Agent: Select Model…' },
  terminal: { setApiKey: 'OPEN_AGENT_API_KEY', selectModel: '--model NAME' },
} as const satisfies Record<ReportPlace, Record<NonNullable<Remedy['action']>, string>>;

/** The whole report as plain text, to paste into a message. */
export function reportText(report: DoctorReport): string {
  const findings = findingsOf(report).map((finding) => findingText(finding, 'editor'));
  return ['Open Agent: check of server and model', reportHead(report), summaryOf(report), '', ...findings, ''].join(
    '\n',
  );
}
