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
  if (files.length > MAX_FILES) listed.push(`and ${files.length - MAX_FILES} more`);
  return [headLine(facts, areAllUnasked), ...listed, checkLine(check)].join('\n');
}

/**
 * The facts for a model that wants to end its run. `undefined`: there is nothing to tell, because no check is known, or the last
 * one passed after the last change.
 */
export function factsForModel(check: LastCheck | undefined): string | undefined {
  if (!check || (check.command.exitCode === 0 && check.command.changedAfter === undefined)) return undefined;
  return `${checkLine(check)} If something is left to do, do it now. If not, say what was not checked.`;
}

function headLine({ files, commands }: RunFacts, areAllUnasked: boolean): string {
  const total = (name: 'added' | 'removed'): number => files.reduce((sum, { lines }) => sum + (lines?.[name] ?? 0), 0);
  const count = files.length === 1 ? 'one file' : `${files.length} files`;
  const changed = `Changed ${count}${areAllUnasked ? ' without asking' : ''}`;
  const lines = files.length > 1 && files.some((file) => file.lines) ? `: +${total('added')} −${total('removed')}` : '';
  const ran =
    commands.length === 0 ? '' : `, ran ${commands.length === 1 ? 'one command' : `${commands.length} commands`}`;
  return `${changed}${lines}${ran}.`;
}

function fileLine({ name, lines, isUnasked }: ChangedFile, areAllUnasked: boolean): string {
  const counts = lines ? ` +${lines.added} −${lines.removed}` : ', by a command';
  return `${visibleText(name, 'path')}${counts}${isUnasked && !areAllUnasked ? ', without asking' : ''}`;
}

/** Facts only: what ran, when, and how it ended. */
function checkLine(check: LastCheck | undefined): string {
  if (!check) return 'No check ran.';
  const { kinds, command, isExitUnsure } = check;
  const what = kinds.join(' and ');
  const when = command.changedAfter === undefined ? 'after the last change' : `before the last ${noun(command)}`;
  const [line = ''] = visibleText(command.command, 'command').split('\n');
  const shown = line.length > MAX_COMMAND || line !== command.command ? `${line.slice(0, MAX_COMMAND)}…` : line;
  const exit = command.exitCode === null ? 'stopped before its end' : `exit code ${command.exitCode}`;
  const whose = isExitUnsure && command.exitCode !== null ? ' of the whole command line' : '';
  return `${what.charAt(0).toUpperCase()}${what.slice(1)} ran ${when}: ${shown}, ${exit}${whose}.`;
}

function noun({ changedAfter }: RunCommand): string {
  return changedAfter === 'edit' ? 'edit' : 'change';
}
