import { enumeration } from '../../util/locale';
import { isWorkspaceFolder } from './workspaceFolder';
import * as l10n from '../../util/l10n';
import type { ApprovalSummary } from '../../agent/view/approvalSummary';
import { visibleText } from '../../util/text/visibleText';
import type { MoreAction } from '../controls/menu/MoreMenu';

/** The answers that last longer than this request, as far as they are offered. */
export function lastingAnswers(
  approval: ApprovalSummary,
  allow: (more: { remember: 'session' | 'workspace' } | { acceptsEdits: true }) => void,
): readonly MoreAction[] {
  const { remember } = approval;
  const offersAcceptEdits = approval.kind === 'edit' && approval.offersAcceptEdits === true;
  return [
    ...(offersAcceptEdits
      ? [{ label: l10n.t('Accept All Edits of This Run'), run: () => allow({ acceptsEdits: true }) }]
      : []),
    ...(remember?.scopes ?? []).map((scope) => ({
      label: scope === 'session' ? l10n.t('Always in This Session') : l10n.t('Always in This Workspace'),
      note: meaningOf(approval),
      run: () => allow({ remember: scope }),
    })),
  ];
}

/** What an answer with "Always" allows. */
function meaningOf({ kind, remember }: ApprovalSummary): string {
  const rules = enumeration((remember?.rules ?? []).map((rule) => visibleText(rule, 'path')));
  const folder = remember?.folder;
  if (kind === 'mcp')
    return l10n.t('The server says that this tool only reads. This allows {0} with any arguments.', rules);
  if (folder === undefined) return l10n.t('Allows exactly {0}.', rules);
  return isWorkspaceFolder(folder)
    ? l10n.t('Allows exactly {0} in the workspace folder.', rules)
    : l10n.t('Allows exactly {0} in {1}.', rules, visibleText(folder, 'path'));
}
