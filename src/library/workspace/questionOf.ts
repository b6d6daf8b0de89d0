import type { ApprovalRequest } from '../../agent/approval/approver';
import { assertNever } from '../../util/assertNever';
import { visibleText } from '../../util/text/visibleText';
import { unifiedDiff } from '../../workspace/edits/diff/unifiedDiff';
import type { ApprovalQuestion } from './approvalQuestion';

/** The question as a program gets it. Throws for tools that only an editor has; the hook then denies. */
export function questionOf(request: Omit<ApprovalRequest, 'id' | 'sessionId'>): ApprovalQuestion {
  const { toolUseId, toolName, plan, reason, isSensitive, dangers = [] } = request;
  if (plan.kind === 'extension' || plan.kind === 'edits') throw new Error(`${toolName} is a tool of an editor.`);
  return {
    toolUseId,
    toolName,
    plan,
    preview: previewOf(plan),
    reason,
    ...(isSensitive && { isSensitive }),
    ...(dangers.length > 0 && { dangers: dangers.map(({ text }) => text) }),
  };
}

function previewOf(plan: ApprovalQuestion['plan']): string {
  switch (plan.kind) {
    case 'edit': {
      const { text } = unifiedDiff(plan.before, plan.after);
      return `${plan.operation} ${visibleText(plan.target.displayPath, 'path')}\n${visibleText(text, 'code')}`;
    }
    case 'command':
      return `in ${visibleText(plan.cwd.displayPath, 'path')}: ${visibleText(plan.command, 'command')}`;
    case 'read':
      return `read ${visibleText(plan.target.displayPath, 'path')}`;
    case 'mcp':
      return visibleText(`${plan.tool} ${JSON.stringify(plan.arguments, undefined, 2)}`, 'code');
    default:
      return assertNever(plan);
  }
}
