import type { SessionEntry } from '../../sdk/session/entries';
import type { SessionNotice } from '../view/sessionView';
import type { FindCheck } from './findCheck';
import { runFacts, type RunFacts } from './runFacts';
import { runNotice, type LastCheck } from './runNotice';

/** Earlier commands of a long run are not looked at. */
const MAX_COMMANDS = 30;

/** The notice with what the newest run changed and checked; `undefined`: it changed nothing. `entries`: of the session. */
export async function summariseRun(
  id: string,
  entries: readonly SessionEntry[],
  findCheck: FindCheck,
): Promise<SessionNotice | undefined> {
  const facts = runFacts(entries);
  return facts && runNotice(id, facts, await lastCheck(facts, findCheck));
}

async function lastCheck({ commands }: RunFacts, findCheck: FindCheck): Promise<LastCheck | undefined> {
  for (const command of commands.toReversed().slice(0, MAX_COMMANDS)) {
    const check = await findCheck(command.command, command.cwd);
    if (check) return { ...check, command };
  }
  return undefined;
}
