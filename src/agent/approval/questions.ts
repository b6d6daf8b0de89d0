import type { CommandAssessment } from '../../workspace/shell/commandAssessment';
import type { ApprovalRequest, RunEdits } from './approver';
import type { ApprovalOffers } from './offers';
import type { Verdict } from './permissions';
import type { SessionRules } from './rules/permissionRules';

/** The parts of a question that come from the judgement of a plan. */
export type Question = Pick<
  ApprovalRequest,
  'reason' | 'isSensitive' | 'isAboutUnseen' | 'offers' | 'programs' | 'unknownPrograms' | 'dangers'
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
  return {
    reason,
    ...(isSensitive && { isSensitive }),
    ...(origin === 'unseen' && { isAboutUnseen: true }),
    ...(Object.keys(possible).length > 0 && { offers: possible }),
    ...programsOf(command),
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
  const { programs, unknownPrograms } = shown.at(-1) ?? {};
  return JSON.stringify(programsOf(command)) !== JSON.stringify(named({ programs, unknownPrograms }));
}

function programsOf(command: CommandAssessment | undefined): Pick<Question, 'programs' | 'unknownPrograms'> {
  const found = command?.programs ?? [];
  return named({
    programs: found.flatMap((program) =>
      program.kind === 'program' ? [program.path] : program.kind === 'builtin' ? ['part of the shell'] : [],
    ),
    unknownPrograms: found.flatMap((program) => (program.kind === 'unsafe' ? [sentence(program.reason)] : [])),
  });
}

/** Without empty lists, and in one order. */
function named({ programs, unknownPrograms }: Pick<Question, 'programs' | 'unknownPrograms'>) {
  return {
    ...(programs?.length && { programs }),
    ...(unknownPrograms?.length && { unknownPrograms }),
  };
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
