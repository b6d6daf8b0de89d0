import type { CheckKind } from './checkKind';
import { enumeration } from '../../util/locale';
import * as l10n from '../../util/l10n';
import { visibleText } from '../../util/text/visibleText';
import type { CommandCheck } from './findCheck';
import type { ChangedFile, RunCommand, RunFacts } from './runFacts';

/** The last command of a run that checks something. */
export interface LastCheck extends CommandCheck {
  readonly command: RunCommand;
}

const MAX_FILES = 6;
const MAX_COMMAND = 60;

/** What a run changed and checked, for people. `check` absent: no command of the session checked anything. */
export function summaryText(facts: RunFacts, check: LastCheck | undefined): string {
  const { files } = facts;
  const areAllUnasked = files.every(({ isUnasked }) => isUnasked);
  const listed = files.slice(0, MAX_FILES).map((file) => fileLine(file, areAllUnasked));
  if (files.length > MAX_FILES) listed.push(l10n.t('and {0} more', files.length - MAX_FILES));
  return [headLine(facts, areAllUnasked), ...listed, checkLine(check)].join('\n');
}

function headLine({ files, commands }: RunFacts, areAllUnasked: boolean): string {
  const total = (name: 'added' | 'removed'): number => files.reduce((sum, { lines }) => sum + (lines?.[name] ?? 0), 0);
  const lines = files.length > 1 && files.some((file) => file.lines) ? `: +${total('added')} −${total('removed')}` : '';
  const ran = commands.length === 0 ? '' : `, ${commandsText(commands.length)}`;
  return `${changedText(files.length, areAllUnasked)}${lines}${ran}.`;
}

function changedText(files: number, isUnasked: boolean): string {
  if (isUnasked)
    return files === 1 ? l10n.t('Changed one file without asking') : l10n.t('Changed {0} files without asking', files);
  return files === 1 ? l10n.t('Changed one file') : l10n.t('Changed {0} files', files);
}

function commandsText(commands: number): string {
  return commands === 1 ? l10n.t('ran one command') : l10n.t('ran {0} commands', commands);
}

function fileLine({ name, lines, isUnasked }: ChangedFile, areAllUnasked: boolean): string {
  const path = visibleText(name, 'path');
  const changed = lines ? `${path} +${lines.added} −${lines.removed}` : l10n.t('{0}, by a command', path);
  return isUnasked && !areAllUnasked ? l10n.t('{0}, without asking', changed) : changed;
}

/** Facts only: what ran, when, and how it ended. */
function checkLine(check: LastCheck | undefined): string {
  if (!check) return l10n.t('No check ran.');
  const what = capitalised(enumeration(check.kinds.map(kindText)));
  const shown = shownCommand(check.command);
  const exit = exitText(check);
  switch (check.command.changedAfter) {
    case undefined:
      return l10n.t('{0} ran after the last change: {1}, {2}.', what, shown, exit);
    case 'edit':
      return l10n.t('{0} ran before the last edit: {1}, {2}.', what, shown, exit);
    default:
      return l10n.t('{0} ran before the last change: {1}, {2}.', what, shown, exit);
  }
}

function kindText(kind: CheckKind): string {
  switch (kind) {
    case 'tests':
      return l10n.t('tests');
    case 'type check':
      return l10n.t('type check');
    case 'lint':
      return l10n.t('lint');
    case 'build':
      return l10n.t('build');
    case 'checks':
      return l10n.t('checks');
  }
}

function exitText({ command: { exitCode }, isExitUnsure }: LastCheck): string {
  if (exitCode === null) return l10n.t('stopped before its end');
  return isExitUnsure ? l10n.t('exit code {0} of the whole command line', exitCode) : l10n.t('exit code {0}', exitCode);
}

/** The first line of a command, cut to a short length. */
export function shownCommand({ command }: RunCommand): string {
  const [line = ''] = visibleText(command, 'command').split('\n');
  return line.length > MAX_COMMAND || line !== command ? `${line.slice(0, MAX_COMMAND)}…` : line;
}

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
