import * as l10n from '../../../util/l10n';
import type { ModelAccess } from '../access/modelAccess';
import { AgentError } from '../../../sdk/errors';
import { normalizeBaseUrl } from '../../../sdk/model/http/baseUrl';
import type { DoctorCheck, DoctorReport } from '../../view/server/doctorReport';
import type { Check, Outcome } from './check';
import { checks } from './checks';
import { Examination, type DoctorOptions } from './examination';

export type { DoctorOptions } from './examination';

export interface DoctorResult {
  readonly report: DoctorReport;
  /** The check has changed how requests to this model are written. */
  readonly hasLearned: boolean;
}

/**
 * Checks a server and a model with about ten small requests, one after another. Each waits its turn in the queue.
 * `onProgress` gets every change, the first before any request. Stores findings about tools in `options.quirks`. Never
 * rejects because of the server. Aborting `signal` ends the check with the findings so far.
 */
export async function runDoctor(
  options: DoctorOptions,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (report: DoctorReport) => void },
): Promise<DoctorResult> {
  let report = startReport(options);
  const show = (changes: Partial<DoctorReport>): void => {
    report = { ...report, ...changes };
    onProgress(report);
  };
  const showCheck = (check: DoctorCheck): void => {
    const { server, model } = found;
    show({
      ...(server && { baseUrl: server.baseUrl, serverName: server.name }),
      model,
      checks: report.checks.map((each) => (each.id === check.id ? check : each)),
    });
  };
  let current: Check | undefined;
  const say = (doing: string): void => {
    if (current) showCheck({ id: current.id, title: current.title(), status: 'running', doing });
  };
  const found = new Examination(options, { signal, say });
  show({});
  for (const check of checks) {
    current = check;
    const finding = await examine(check, found, say);
    showCheck({ id: check.id, title: check.title(), ...finding });
  }
  current = undefined;
  const hasLearned = keepWhatWasLearned(found);
  show({ state: signal.aborted ? 'stopped' : 'finished' });
  return { report, hasLearned };
}

/** The options that follow from the server's address. */
export async function doctorAccess(
  { keys, slots, quirks, fetch, ownServer }: Pick<ModelAccess, 'keys' | 'slots' | 'quirks' | 'fetch' | 'ownServer'>,
  baseUrl: string,
): Promise<Pick<DoctorOptions, 'baseUrl' | 'apiKey' | 'isOwn' | 'slots' | 'quirks' | 'fetch' | 'now'>> {
  const apiKey = await keys.get(baseUrl);
  return {
    baseUrl,
    apiKey,
    isOwn: ownServer?.isFor(apiKey),
    slots,
    quirks: quirks.memoryFor(baseUrl),
    fetch,
    now: () => performance.now(),
  };
}

/** The report before the first check. */
export function startReport({ baseUrl, model }: Pick<DoctorOptions, 'baseUrl' | 'model'>): DoctorReport {
  return {
    state: 'running',
    baseUrl: shownUrl(baseUrl),
    model,
    checks: checks.map(({ id, title }) => ({ id, title: title(), status: 'waiting' })),
  };
}

async function examine(check: Check, found: Examination, say: (doing: string) => void): Promise<Outcome> {
  if (found.signal.aborted) return stopped();
  const reason = check.skip?.(found);
  if (reason !== undefined) return { status: 'skipped', detail: reason };
  say(l10n.t('Looking'));
  try {
    return await check.run(found);
  } catch (error) {
    if (found.signal.aborted) return stopped();
    throw error;
  }
}

function stopped(): Outcome {
  return { status: 'skipped', detail: l10n.t('The check was stopped.') };
}

function keepWhatWasLearned({ options, model, quirks, tools, answer }: Examination): boolean {
  if (!answer) return false;
  const before = options.quirks.get(model);
  const learned = {
    ...quirks,
    tools: tools ?? (quirks.tools === 'text' ? 'text' : before.tools),
    // Only a native call shows whether streaming works with tools.
    streamWithTools: tools === 'native' ? quirks.streamWithTools : before.streamWithTools,
  };
  if (JSON.stringify(learned) === JSON.stringify(before)) return false;
  options.quirks.learn(model, learned);
  return true;
}

/** Hides an invalid address: it may contain a password. The finding says what is wrong. */
function shownUrl(baseUrl: string): string {
  if (baseUrl === '') return '';
  try {
    return normalizeBaseUrl(baseUrl);
  } catch (error) {
    if (!(error instanceof AgentError)) throw error;
    return '';
  }
}
