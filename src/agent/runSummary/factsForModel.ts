import type { RunCommand } from './runFacts';
import { capitalised, shownCommand, type LastCheck } from './runNotice';

/**
 * The facts for a model that wants to end its run. `undefined`: there is nothing to tell, because no check is known, or the last
 * one passed after the last change.
 */
export function factsForModel(check: LastCheck | undefined): string | undefined {
  if (!check || (check.command.exitCode === 0 && check.command.changedAfter === undefined)) return undefined;
  return `${checkLineForModel(check)} If something is left to do, do it now. If not, say what was not checked.`;
}

/** As `checkLine` of the notice, in English. */
function checkLineForModel({ kinds, command, isExitUnsure }: LastCheck): string {
  const when = command.changedAfter === undefined ? 'after the last change' : `before the last ${noun(command)}`;
  const exit = command.exitCode === null ? 'stopped before its end' : `exit code ${command.exitCode}`;
  const whose = isExitUnsure && command.exitCode !== null ? ' of the whole command line' : '';
  return `${capitalised(kinds.join(' and '))} ran ${when}: ${shownCommand(command)}, ${exit}${whose}.`;
}

function noun({ changedAfter }: RunCommand): string {
  return changedAfter === 'edit' ? 'edit' : 'change';
}
