import * as l10n from '../../util/l10n';
import type { McpPlan } from '../../mcp/mcpPlan';
import { assertNever } from '../../util/assertNever';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import { protectionOf } from '../../workspace/paths/protectedPaths';
import type { CommandPlan, EditPlan, EditsPlan } from '../../workspace/plans';
import type { ApprovalOutcome, ApprovalSummary, EditApproval } from '../view/approvalSummary';
import type { ExtensionPlan } from '../extensionTools/extensionPlan';
import type { ApprovalDecision, ApprovalRequest } from './approver';
import { editWarnings } from './editHazards';
import type { RememberOffer } from './offers';
import { summarizeHunks } from './summarizeHunks';

/** The question as screens show it. */
export function summarizeRequest(request: ApprovalRequest): ApprovalSummary {
  const { id, toolUseId, reason, plan, isSensitive, askedBy, offers, programs, unknownPrograms, dangers } = request;
  const shared = {
    requestId: id,
    toolUseId,
    reason,
    ...(isSensitive && { isSensitive }),
    ...(askedBy && { askedBy }),
    ...(offers?.remember && { remember: summarizeOffer(offers.remember) }),
  };
  switch (plan.kind) {
    case 'edit':
    case 'edits': {
      const {
        unshownLines = 0,
        warnings = [],
        ...facts
      } = plan.kind === 'edit' ? summarizeEdit(plan) : summarizeEdits(plan);
      return {
        ...shared,
        ...facts,
        kind: 'edit',
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
        ...(unknownPrograms && { unknownPrograms }),
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

type EditFacts = Omit<EditApproval, 'kind' | 'requestId' | 'toolUseId' | 'reason'>;

function summarizeEdit(plan: EditPlan): EditFacts {
  const { text, addedLines, removedLines, unshownLines: unshownOfDiff } = unifiedDiff(plan.before, plan.after);
  const { hunks, unshownLines } = summarizeHunks(plan) ?? { unshownLines: unshownOfDiff };
  const { operation, target } = plan;
  return {
    displayPath: target.displayPath,
    operation,
    diff: text,
    addedLines,
    removedLines,
    ...(hunks && { hunks }),
    unshownLines,
    warnings: editWarnings(plan),
  };
}

/** One diff of all files, with their names between. */
function summarizeEdits({ edits, title }: EditsPlan): EditFacts {
  const diffs: string[] = [];
  let [addedLines, removedLines, unshownLines] = [0, 0, 0];
  const maxLines = Math.max(MIN_FILE_LINES, Math.floor(MAX_LINES / edits.length));
  for (const { before, after, target } of edits) {
    const diff = unifiedDiff(before, after, { contextLines: 1, maxLines });
    addedLines += diff.addedLines;
    removedLines += diff.removedLines;
    unshownLines += diff.unshownLines;
    diffs.push(`@@ ${visibleText(target.displayPath, 'path')} @@`, diff.text);
  }
  const files = edits.map(({ target }) => target.displayPath);
  return {
    displayPath: files[0] ?? '',
    files,
    title,
    operation: 'edit',
    diff: diffs.join('\n'),
    addedLines,
    removedLines,
    unshownLines,
    warnings: edits.flatMap((edit) =>
      editWarnings(edit).map((warning) => `${visibleText(edit.target.displayPath, 'path')}: ${warning}`),
    ),
  };
}

const MAX_LINES = 400;
const MIN_FILE_LINES = 6;

/** Whether an edit is accepted only by itself: a file of it is protected, or its card has a warning. */
export function needsOwnAnswer(
  { isSensitive = false }: Pick<ApprovalRequest, 'isSensitive'>,
  plan: EditPlan | EditsPlan,
): boolean {
  const edits = plan.kind === 'edit' ? [plan] : plan.edits;
  return isSensitive || edits.some((edit) => protectionOf(edit.target) !== undefined || editWarnings(edit).length > 0);
}

function summarizeOffer({ rules, folder, scopes }: RememberOffer): ApprovalSummary['remember'] {
  return { rules, scopes, ...(folder && { folder: folder.name }) };
}

function argumentsText(plan: McpPlan | ExtensionPlan): string {
  return JSON.stringify(plan.arguments, undefined, 2);
}

function conditionsOf({ isBackground, inTerminal, confinement }: CommandPlan): readonly string[] {
  return [
    ...(isBackground ? [l10n.t('In the background, until it is stopped or the window closes')] : []),
    ...(inTerminal ? [l10n.t('In a terminal')] : []),
    ...(confinement
      ? [
          confinement.allowsNetwork
            ? l10n.t('Confined: writes to the workspace only, with network')
            : l10n.t('Confined: writes to the workspace only, no network'),
        ]
      : []),
  ];
}

/** The decision as screens show it. */
export function outcomeOf({ plan }: Pick<ApprovalRequest, 'plan'>, decision: ApprovalDecision): ApprovalOutcome {
  switch (decision.action) {
    case 'allow': {
      const { editedText, editedTexts } = decision;
      const isChanged = plan.kind === 'edit' && editedText !== undefined && editedText !== plan.after;
      const areChanged =
        plan.kind === 'edits' && plan.edits.some(({ after }, index) => (editedTexts?.[index] ?? after) !== after);
      return isChanged || areChanged ? 'allowed_with_changes' : 'allowed';
    }
    case 'deny':
      return 'denied';
    case 'cancelled':
      return 'expired';
    default:
      return assertNever(decision);
  }
}
