import type { McpPlan } from '../../mcp/mcpPlan';
import { assertNever } from '../../util/assertNever';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { protectionOf } from '../../workspace/paths/protectedPaths';
import type { CommandPlan, EditPlan } from '../../workspace/plans';
import type { ApprovalOutcome, ApprovalSummary } from '../view/approvalSummary';
import type { ExtensionPlan } from '../extensionTools/extensionPlan';
import type { ApprovalDecision, ApprovalRequest } from './approver';
import { editWarnings } from './editHazards';
import type { RememberOffer } from './offers';
import { summarizeHunks } from './summarizeHunks';

/** The question as screens show it. */
export function summarizeRequest(request: ApprovalRequest): ApprovalSummary {
  const { id, toolUseId, reason, plan, isSensitive, askedBy, offers, programs, dangers } = request;
  const shared = {
    requestId: id,
    toolUseId,
    reason,
    ...(isSensitive && { isSensitive }),
    ...(askedBy && { askedBy }),
    ...(offers?.remember && { remember: summarizeOffer(offers.remember) }),
  };
  switch (plan.kind) {
    case 'edit': {
      const { text, addedLines, removedLines, unshownLines: unshownOfDiff } = unifiedDiff(plan.before, plan.after);
      const { hunks, unshownLines } = summarizeHunks(plan) ?? { unshownLines: unshownOfDiff };
      const { operation, target } = plan;
      const warnings = editWarnings(plan);
      return {
        ...shared,
        kind: 'edit',
        displayPath: target.displayPath,
        operation,
        diff: text,
        addedLines,
        removedLines,
        ...(hunks && { hunks }),
        ...(unshownLines > 0 && { unshownLines }),
        ...(warnings.length > 0 && { warnings }),
        ...(needsOwnAnswer(request, plan) && { needsOwnAnswer: true }),
        ...(offers?.acceptsEdits && { offersAcceptEdits: true }),
      };
    }
    case 'command': {
      const conditions = conditionsOf(plan);
      return {
        ...shared,
        kind: 'command',
        displayPath: plan.cwd.displayPath,
        command: plan.command,
        ...(programs && { programs }),
        ...(dangers && { dangers }),
        ...(conditions.length > 0 && { conditions }),
      };
    }
    case 'read':
      return { ...shared, kind: 'read', displayPath: plan.target.displayPath };
    case 'mcp':
      return { ...shared, kind: 'mcp', server: plan.server, tool: plan.tool, arguments: argumentsText(plan) };
    case 'extension':
      return {
        ...shared,
        kind: 'extension',
        extension: plan.extension,
        tool: plan.tool,
        arguments: argumentsText(plan),
      };
    default:
      return assertNever(plan);
  }
}

/** Whether an edit is accepted only by itself: its file is protected, or its card has a warning. */
export function needsOwnAnswer({ isSensitive = false }: Pick<ApprovalRequest, 'isSensitive'>, plan: EditPlan): boolean {
  return isSensitive || protectionOf(plan.target) !== undefined || editWarnings(plan).length > 0;
}

function summarizeOffer({ rules, folder, scopes }: RememberOffer): ApprovalSummary['remember'] {
  return { rules, scopes, ...(folder && { folder: folder.name }) };
}

function argumentsText(plan: McpPlan | ExtensionPlan): string {
  return JSON.stringify(plan.arguments, undefined, 2);
}

function conditionsOf({ isBackground, inTerminal, confinement }: CommandPlan): readonly string[] {
  return [
    ...(isBackground ? ['In the background, until it is stopped or the window closes'] : []),
    ...(inTerminal ? ['In a terminal'] : []),
    ...(confinement
      ? [`Confined: writes to the workspace only, ${confinement.allowsNetwork ? 'with' : 'no'} network`]
      : []),
  ];
}

/** The decision as screens show it. */
export function outcomeOf({ plan }: Pick<ApprovalRequest, 'plan'>, decision: ApprovalDecision): ApprovalOutcome {
  switch (decision.action) {
    case 'allow': {
      const { editedText } = decision;
      const isChanged = plan.kind === 'edit' && editedText !== undefined && editedText !== plan.after;
      return isChanged ? 'allowed_with_changes' : 'allowed';
    }
    case 'deny':
      return 'denied';
    case 'cancelled':
      return 'expired';
    default:
      return assertNever(decision);
  }
}
