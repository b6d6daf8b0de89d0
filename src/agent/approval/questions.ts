import { assertNever } from '../../util/assertNever';
import type { CommandAssessment } from '../../workspace/shell/assessCommand';
import type { ResolvedProgram } from '../../workspace/shell/resolveProgram';
import type { ApprovalRequest, RunEdits } from './approver';
import type { ApprovalOffers } from './offers';
import type { Verdict } from './permissions';
import type { SessionRules } from './rules/permissionRules';

/** The parts of a question that come from the judgement of a plan. */
export type Question = Pick<
  ApprovalRequest,
  'reason' | 'isSensitive' | 'isAboutUnseen' | 'offers' | 'programs' | 'dangers'
>;

/** The question of a verdict that asks. Offers only what the session can do. */
export function describeQuestion(
  { origin, reason, isSensitive, offers = {} }: Verdict & { readonly action: 'ask' },
  command: CommandAssessment | undefined,
  { rules, runEdits }: { readonly rules?: SessionRules | undefined; readonly runEdits?: RunEdits | undefined },
): Question {
  const scopes = offers.remember?.scopes.filter((scope) => rules?.scopes.includes(scope)) ?? [];
  const possible: ApprovalOffers = {
    ...(offers.remember && scopes.length > 0 && { remember: { ...offers.remember, scopes } }),
    ...(offers.acceptsEdits && runEdits && { acceptsEdits: true }),
  };
  const programs = programsOf(command);
  return {
    reason,
    ...(isSensitive && { isSensitive }),
    ...(origin === 'unseen' && { isAboutUnseen: true }),
    ...(Object.keys(possible).length > 0 && { offers: possible }),
    ...(programs.length > 0 && { programs }),
    ...(command && command.dangers.length > 0 && { dangers: command.dangers }),
  };
}

/**
 * Whether a call asks for something that was not shown when a person allowed it: a rule that restricts it, or other
 * programs that it starts.
 */
export function hasChanged(
  { verdict, command }: { readonly verdict: Verdict; readonly command: CommandAssessment | undefined },
  shown: readonly Question[],
): boolean {
  if (verdict.action !== 'ask') return false;
  if (verdict.origin === 'rule' && shown.every(({ reason }) => reason !== verdict.reason)) return true;
  return JSON.stringify(programsOf(command)) !== JSON.stringify(shown.at(-1)?.programs ?? []);
}

function programsOf(command: CommandAssessment | undefined): readonly string[] {
  return command?.programs.map(describeProgram) ?? [];
}

function describeProgram(program: ResolvedProgram): string {
  switch (program.kind) {
    case 'program':
      return program.path;
    case 'builtin':
      return 'part of the shell';
    case 'unsafe':
      return `something unknown (${program.reason})`;
    default:
      return assertNever(program);
  }
}
