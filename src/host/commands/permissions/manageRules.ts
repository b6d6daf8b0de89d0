import * as vscode from 'vscode';
import type { ListedRule } from '../../../agent/approval/rules/ruleStore';
import type { Approvals } from '../../approvals/openApprovals';
import { displayPath } from '../../../workspace/paths/roots';
import { pickText } from '../../notificationText';
import type { OutputLog } from '../../outputLog';
import { workspaceRoots } from '../../workspace/workspaceRoots';

interface RuleItem extends vscode.QuickPickItem {
  readonly rule?: ListedRule;
}

const effects = { allow: vscode.l10n.t('allowed'), ask: vscode.l10n.t('asks'), deny: vscode.l10n.t('denied') } as const;
const origins = {
  session: vscode.l10n.t('in a session, on its card'),
  workspace: vscode.l10n.t('in this workspace, on a card'),
  user: vscode.l10n.t('in your settings'),
  workspaceFile: vscode.l10n.t('in a file of this workspace'),
} as const;
const remove: vscode.QuickInputButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Remove') };
const open: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('gear'),
  tooltip: vscode.l10n.t('Open Settings'),
};

/** Lists every rule with its origin. A rule given on a card can be removed here; any other opens its setting. */
export async function manageRules({
  rules,
  log,
}: Pick<Approvals, 'rules'> & { readonly log: OutputLog }): Promise<void> {
  const pick = vscode.window.createQuickPick<RuleItem>();
  pick.title = vscode.l10n.t('Allowed Commands and Other Rules');
  pick.matchOnDescription = true;
  const show = (): void => {
    const listed = rules.list();
    pick.items = listed.length === 0 ? [nothing] : listed.map(itemOf);
    pick.placeholder = vscode.l10n.t('Pick a rule from a card to remove it, or another rule to open its setting');
  };
  const take = async (rule: ListedRule | undefined): Promise<void> => {
    if (rule?.origin === 'session' || rule?.origin === 'workspace') {
      await rules.remove(rule);
      return show();
    }
    pick.hide();
    await openSettingOf(rule);
  };
  const start = (rule: ListedRule | undefined): void => void take(rule).catch(log.error);
  pick.onDidAccept(() => start(pick.selectedItems[0]?.rule));
  pick.onDidTriggerItemButton(({ item }) => start(item.rule));
  pick.onDidHide(() => pick.dispose());
  show();
  pick.show();
}

const nothing: RuleItem = {
  label: vscode.l10n.t('There are no rules yet'),
  detail: vscode.l10n.t('Allow a command on its card, or add rules to the settings.'),
};

function itemOf(rule: ListedRule): RuleItem {
  const { text, effect, origin, folder, problem } = rule;
  const isSuggestion = origin === 'workspaceFile' && effect === 'allow';
  const place = folder === undefined ? [] : [placeOf(folder)];
  const said = isSuggestion
    ? vscode.l10n.t('suggested by this workspace, not in effect')
    : [effects[effect], ...place, origins[origin]].join(' · ');
  return {
    rule,
    label: pickText(text),
    description: said,
    ...(problem !== undefined && !isSuggestion && { detail: pickText(problem) }),
    buttons: [origin === 'session' || origin === 'workspace' ? remove : open],
  };
}

function placeOf(folder: string): string {
  const name = displayPath(folder, workspaceRoots());
  return name === '.' ? vscode.l10n.t('in the workspace folder') : vscode.l10n.t('in {0}', pickText(name));
}

async function openSettingOf(rule: ListedRule | undefined): Promise<void> {
  const isOfFile = rule?.origin === 'workspaceFile' && rule.effect !== 'allow';
  const command = isOfFile ? 'workbench.action.openWorkspaceSettings' : 'workbench.action.openSettings';
  const query = isOfFile ? 'openAgent.workspaceRules' : 'openAgent.rules';
  await vscode.commands.executeCommand(command, isOfFile ? { query } : query);
}
