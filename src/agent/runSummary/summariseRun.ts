import type { SessionEntry } from '../../sdk/session/entries';
import type { FindCheck } from './findCheck';
import { runFacts, type RunFacts } from './runFacts';
import { factsForModel } from './factsForModel';
import { summaryText, type LastCheck } from './runNotice';

/** Earlier commands of a long run are not looked at. */
const MAX_COMMANDS = 30;

export interface RunSummary {
  /** The prompt that the run answers. */
  readonly promptId: string;
  /** For people. */
  readonly message: string;
  /** For a model that wants to end the run. Absent: there is nothing to tell. */
  readonly forModel?: string | undefined;
}

/** What the newest run changed and checked; `undefined`: it changed nothing. `entries`: of the session. */
export async function summariseRun(
  entries: readonly SessionEntry[],
  findCheck: FindCheck,
): Promise<RunSummary | undefined> {
  const facts = runFacts(entries);
  if (!facts) return undefined;
  const check = await lastCheck(facts, findCheck);
  return { promptId: facts.promptId, message: summaryText(facts, check), forModel: factsForModel(check) };
}

/** The newest check of the run, else of the session. */
async function lastCheck(facts: RunFacts, findCheck: FindCheck): Promise<LastCheck | undefined> {
  for (const commands of [() => facts.commands, facts.earlierCommands]) {
    for (const command of commands().toReversed().slice(0, MAX_COMMANDS)) {
      const check = await findCheck(command.command, command.cwd);
      if (check) return { ...check, command };
    }
  }
  return undefined;
}
