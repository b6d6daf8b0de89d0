import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { visibleText } from '../../util/text/visibleText';
import type { MoreAction } from '../controls/menu/MoreMenu';

const scopeLabels = { session: 'Always in This Session', workspace: 'Always in This Workspace' } as const;

/** The answers that last longer than this request, as far as they are offered. */
export function lastingAnswers(
  approval: ApprovalSummary,
  allow: (more: { remember: 'session' | 'workspace' } | { acceptsEdits: true }) => void,
): readonly MoreAction[] {
  const { remember } = approval;
  const offersAcceptEdits = approval.kind === 'edit' && approval.offersAcceptEdits === true;
  return [
    ...(offersAcceptEdits ? [{ label: 'Accept All Edits of This Run', run: () => allow({ acceptsEdits: true }) }] : []),
    ...(remember?.scopes ?? []).map((scope) => ({
      label: scopeLabels[scope],
      note: meaningOf(approval),
      run: () => allow({ remember: scope }),
    })),
  ];
}

/** What an answer with "Always" allows. */
function meaningOf({ kind, remember }: ApprovalSummary): string {
  const rules = (remember?.rules ?? []).map((rule) => visibleText(rule, 'path')).join(' and ');
  const folder = remember?.folder;
  const isTop = folder === '' || folder === '.';
  const where = folder === undefined ? '' : ` in ${isTop ? 'the workspace folder' : visibleText(folder, 'path')}`;
  return kind === 'mcp'
    ? `The server says that this tool only reads. This allows ${rules} with any arguments.`
    : `Allows exactly ${rules}${where}.`;
}
