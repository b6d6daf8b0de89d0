import type { CommandAssessment } from '../../workspace/shell/commandAssessment';
import type { GuardedPath } from '../../workspace/plans';
import { formatRule } from '../../workspace/shell/commandRules';
import type { PermissionMode } from '../view/permissionModes';
import { isOrdinaryEdit, type SinglePlan } from './approvablePlan';
import { isShownByItsName } from './callReasons';
import { parsePermissionRule, type RememberScope } from './rules/permissionRules';

/** The answers that a question offers besides yes and no. */
export interface ApprovalOffers {
  readonly remember?: RememberOffer | undefined;
  /** To accept ordinary edits for the rest of the run. */
  readonly acceptsEdits?: boolean | undefined;
}

/** To allow exactly this call from now on. */
export interface RememberOffer {
  /** The rules to add, as texts. */
  readonly rules: readonly string[];
  /** Commands only: the folder where the rules will hold. */
  readonly folder?: RuleFolder | undefined;
  /** For how long. */
  readonly scopes: readonly RememberScope[];
}

export interface RuleFolder {
  readonly realPath: string;
  /** For people: the display path, or the real path if a link leads there. */
  readonly name: string;
}

export interface OfferQuestion {
  readonly plan: SinglePlan;
  readonly mode: PermissionMode;
  readonly toolName: string;
  /** Absent: the command could not be assessed. */
  readonly command?: Pick<CommandAssessment, 'remember' | 'folder'> | undefined;
}

/** The offers of a question that neither a rule nor a protection asks; `undefined`: none. */
export function findOffers({ plan, mode, command, toolName }: OfferQuestion): ApprovalOffers | undefined {
  switch (plan.kind) {
    case 'mcp':
      // A tool that may write is allowed only in the settings, not from a card.
      if (!plan.isReadOnly) return undefined;
      return { remember: { rules: [`tool:${toolName}`], scopes: ['session', 'workspace'] } };
    case 'edit':
      return mode === 'ask' && isOrdinaryEdit(plan) ? { acceptsEdits: true } : undefined;
    case 'command':
      // Rules do not allow a command in the terminal or in the background: it would ask again.
      if (plan.inTerminal || plan.isBackground) return undefined;
      return command?.remember.ok ? offerRules(command.remember.calls, command.folder) : undefined;
    case 'read':
    case 'extension':
      return undefined;
  }
}

function offerRules(calls: readonly (readonly string[])[], folder: GuardedPath): ApprovalOffers | undefined {
  if (calls.length === 0) return undefined;
  const rules = calls.map((argv) => formatRule({ argv, isOpenEnded: false }));
  const areReadable = rules.every((text, index) => isSameCall(text, calls[index] ?? []));
  if (!areReadable) return undefined;
  const { realPath, displayPath } = folder;
  const place = { realPath, name: isShownByItsName(folder) ? displayPath : realPath };
  return { remember: { rules: [...new Set(rules)], folder: place, scopes: ['session', 'workspace'] } };
}

/** Whether the text of a rule, read again, allows exactly this call. */
function isSameCall(text: string, argv: readonly string[]): boolean {
  const parsed = parsePermissionRule(text, { effect: 'allow', origin: 'session' });
  if (!parsed.ok || parsed.rule.kind !== 'command' || parsed.rule.isOpenEnded) return false;
  return JSON.stringify(parsed.rule.argv) === JSON.stringify(argv);
}
