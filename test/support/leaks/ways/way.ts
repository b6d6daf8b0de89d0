import type { ModelServer } from '../../servers/modelServer';
import type { ApprovalRequest } from '../../../../src/agent/approval/approver';
import type { LeakCase, Observation, Question } from '../leakCase';
import type { LeakWorld } from '../world';

export interface WayParts {
  readonly world: LeakWorld;
  readonly server: ModelServer;
}

/** Runs a case from its prompt to the end of the agent. The server has its script already. */
export type RunWay = (given: LeakCase, parts: WayParts) => Promise<Omit<Observation, 'sent'>>;

export const PROMPT_TEXT = 'Please look around.';

/** A question as the cases know it. */
export function questionOf({
  toolName,
  plan,
  reason,
}: Pick<ApprovalRequest, 'toolName' | 'plan' | 'reason'>): Question {
  const about =
    plan.kind === 'command'
      ? plan.command
      : plan.kind === 'read' || plan.kind === 'edit'
        ? plan.target.displayPath
        : plan.kind === 'edits'
          ? plan.edits.map(({ target }) => target.displayPath).join(' ')
          : plan.tool;
  return { tool: toolName, about, reason };
}
