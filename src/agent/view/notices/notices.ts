import * as l10n from '../../../util/l10n';
import type { AgentErrorInfo } from '../../../sdk/errors';
import { BRANCH, type EntryOf, type SessionEntry } from '../../../sdk/session/entries';
import type { LogProblem } from '../../../sdk/session/readEntries';
import { failureNotice } from './failureNotice';
import type { NoticeAction, SessionNotice } from '../sessionView';

export function limitNotice(id: string): SessionNotice {
  return {
    id,
    severity: 'info',
    message: l10n.t('The agent has used all steps of one run and is not done. Continue?'),
    actions: ['continue', 'openSettings'],
  };
}

/** What the model gets no longer, or only in short. */
export function compactionNotice(entry: EntryOf<'compaction'>): SessionNotice {
  const { id, summary, dropsImages, maxResultCharacters } = entry;
  const sentences = [
    (summary !== '' || (dropsImages === undefined && maxResultCharacters === undefined)) &&
      l10n.t(
        'Earlier messages were summarised for the model, to make room in its context window. Here they stay as they were.',
      ),
    dropsImages === 'earlier' &&
      l10n.t('Earlier images are no longer sent to the model, to make room in its context window. Here they stay.'),
    dropsImages === 'all' &&
      l10n.t('Images are no longer sent to the model, because they do not fit its context window. Here they stay.'),
    summary === '' &&
      maxResultCharacters !== undefined &&
      l10n.t(
        'Long results of tools were shortened for the model, to make room in its context window. Here they stay as they were.',
      ),
  ];
  return { id, severity: 'info', message: sentences.filter((each) => each !== false).join(' '), actions: [] };
}

/** What a run changed and checked, with buttons to review, keep and undo it. */
export function summaryNotice({
  id,
  promptId,
  message,
  beforeRound,
}: Pick<EntryOf<'run_summary'>, 'id' | 'promptId' | 'message' | 'beforeRound'>): SessionNotice {
  const isWorse = beforeRound !== undefined;
  const actions: readonly NoticeAction[] = [
    ...(isWorse ? (['undoRepair'] as const) : []),
    'reviewRun',
    'keepRun',
    'undoRun',
  ];
  return { id, severity: isWorse ? 'warning' : 'info', message, actions, promptId };
}

/** The facts that the model got when it wanted to end. */
export function toldNotice(id: string, text: string): SessionNotice {
  return { id, severity: 'info', message: l10n.t('Told the model: {0}', text), actions: [] };
}

/** The notice after the person asked for a summary and the conversation stayed as it was. */
export function notCompactedNotice(id: string, error: AgentErrorInfo | undefined): SessionNotice {
  if (!error) {
    const message = l10n.t('The conversation is too short: a summary would not take less room. Nothing was changed.');
    return { id, severity: 'info', message, actions: [] };
  }
  const message = l10n.t('The conversation was not summarised, and nothing was changed. {0}', error.message);
  return { id, severity: 'warning', message, actions: ['showLog'] };
}

type TargetEntry = EntryOf<'system_message'> | EntryOf<'epoch'>;

/**
 * The notice for a new epoch or a new session: its profile or agent differs from `before`, or the model does not get the
 * conversation so far. `undefined`: neither.
 */
export function epochNotice(entry: TargetEntry, before: TargetEntry | undefined): SessionNotice | undefined {
  const sentences: string[] = [];
  const { id, profile, agent, model, baseUrl } = entry;
  if (profile !== before?.profile || agent !== before?.agent) {
    const named = [
      agent !== undefined && l10n.t('agent "{0}"', agent),
      profile !== undefined && l10n.t('profile "{0}"', profile),
    ];
    const what = named.filter((name) => name !== false).join(', ') || l10n.t('the settings');
    sentences.push(l10n.t('From here on: {0} ({1} at {2}).', what, model, baseUrl));
  }
  sentences.push(...changedInstructions(entry, before));
  if (entry.type === 'epoch' && entry.omitsHistory) {
    sentences.push(l10n.t('The model does not see the messages above: this agent starts fresh with each prompt.'));
  }
  const isBranch = entry.type === 'epoch' && entry.reason === BRANCH;
  if (isBranch) sentences.unshift(l10n.t('The conversation went back to this point. What came after is kept.'));
  if (sentences.length === 0) return undefined;
  return { id, severity: 'info', message: sentences.join(' '), actions: isBranch ? ['undoRestore'] : [] };
}

/** What the model gets no longer, or gets again. Nothing is said at the start of a session. */
function changedInstructions(entry: TargetEntry, before: TargetEntry | undefined): readonly string[] {
  if (!before) return [];
  const [now, then] = [entry.leavesOut ?? [], before.leavesOut ?? []];
  const off = now.filter((name) => !then.includes(name));
  const on = then.filter((name) => !now.includes(name));
  return [
    ...(off.length > 0 ? [l10n.t('From here on the model does not get the instructions: {0}.', off.join(', '))] : []),
    ...(on.length > 0 ? [l10n.t('From here on the model gets the instructions again: {0}.', on.join(', '))] : []),
  ];
}

/** The notice after files were restored. `undefined`: the entry only corrects an earlier one. */
export function restoredNotice({ id, cause, label, changes }: EntryOf<'checkpoint'>): SessionNotice | undefined {
  if (cause !== 'restore' || label === '') return undefined;
  const names = changes.map(({ path }) => path.split(/[\\/]/).at(-1) ?? path);
  const shown = names.slice(0, 3).join(', ');
  const message =
    names.length > 3
      ? l10n.t('Restored to how they were {0}: {1} and {2} more.', label, shown, names.length - 3)
      : l10n.t('Restored to how they were {0}: {1}.', label, shown);
  return { id, severity: 'info', message, actions: ['undoRestore'] };
}

/** The notice for a run that a reload, a crash or a power cut ended. */
export function unfinishedNotice(id: string): SessionNotice {
  return {
    id,
    severity: 'warning',
    message: l10n.t('The last answer was interrupted before it was done. Nothing has run since.'),
    actions: ['continue'],
  };
}

/** The notice for unreadable lines of the session's file at `path`. */
export function damageNotice(id: string, path: string, problems: readonly LogProblem[]): SessionNotice {
  // One line can have several problems.
  const lines = [...new Set(problems.map(({ line }) => line))];
  const shown = lines.slice(0, 5);
  const keptIn = problems.find((problem) => problem.keptIn !== undefined)?.keptIn;
  const sentences = [
    leftOutText(shown, lines.length - shown.length),
    keptIn === undefined
      ? l10n.t('The file itself was not changed: {0}', path)
      : l10n.t('The file itself was not changed: {0}. A copy of what cannot be read is kept in {1}', path, keptIn),
  ];
  return {
    id,
    severity: 'warning',
    message: sentences.join(' '),
    actions: [],
  };
}

function leftOutText(shown: readonly number[], more: number): string {
  const [first = 0, ...others] = shown;
  const numbers = shown.join(', ');
  if (more > 0)
    return l10n.t("Lines {0} and {1} more of this session's file could not be read and were left out.", numbers, more);
  return others.length === 0
    ? l10n.t("Line {0} of this session's file could not be read and was left out.", first)
    : l10n.t("Lines {0} of this session's file could not be read and were left out.", numbers);
}

export function unsavedNotice(id: string, error: Error): SessionNotice {
  return {
    id,
    severity: 'warning',
    message: l10n.t(
      'This session cannot be saved: {0}. It continues in memory. Open Agent keeps trying to save it.',
      writeFailure(error),
    ),
    actions: ['showLog'],
  };
}

/** Why a session cannot be written, for people: our words with the system's message in brackets, or only its message. */
export function writeFailure(error: Error): string {
  const reason = 'code' in error && typeof error.code === 'string' ? writeFailureText(error.code) : undefined;
  const own = error.message.replace(/\.$/, '');
  return reason === undefined ? own : `${reason} (${own})`;
}

function writeFailureText(code: string): string | undefined {
  switch (code) {
    case 'ENOSPC':
      return l10n.t('the disk is full');
    case 'EDQUOT':
      return l10n.t('your quota on the disk is used up');
    case 'EROFS':
      return l10n.t('the disk is read-only');
    case 'EACCES':
    case 'EPERM':
      return l10n.t('its folder may not be written to');
    case 'EIO':
      return l10n.t('the disk reported an error');
    case 'EMFILE':
    case 'ENFILE':
      return l10n.t('too many files are open');
    default:
      return undefined;
  }
}

/** The notice about the end of the newest run, if the person can act on it. `branch`: the entries up to the newest. */
export function endingNotice(branch: readonly SessionEntry[]): SessionNotice | undefined {
  let error: SessionEntry | undefined;
  for (const entry of branch.toReversed()) {
    if (entry.type === 'error') error ??= entry;
    // A prompt without a following entry was never sent.
    if (entry.type === 'user_message') return unfinishedNotice(entry.id);
    if (entry.type !== 'status_update') continue;
    switch (entry.status) {
      case 'RUNNING':
        return unfinishedNotice(entry.id);
      case 'IDLE':
        return limitNotice(entry.id);
      case 'ERROR': {
        const failure = error ?? branch.findLast(({ type }) => type === 'error');
        return failure?.type === 'error' ? failureNotice(failure.id, failure) : undefined;
      }
      case 'FINISHED':
      case 'CANCELED':
        return undefined;
    }
  }
  return undefined;
}
