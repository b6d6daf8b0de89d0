import * as vscode from 'vscode';
import { readRuleTexts, type RuleTexts } from '../../agent/approval/rules/ruleStore';

/** Reads the user's own rules. VS Code ignores these settings in workspaces. */
export function userRules(): RuleTexts {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return readRuleTexts({
    allow: configuration.get('rules.allow'),
    ask: configuration.get('rules.ask'),
    deny: configuration.get('rules.deny'),
  });
}

/**
 * Reads the rules in the settings files of all open folders, and those of the person, which a workspace would replace. Only those that
 * restrict are obeyed.
 */
export function workspaceFileRules(): RuleTexts {
  const scopes = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  const read = scopes.map((scope) => {
    const configuration = vscode.workspace.getConfiguration('openAgent', scope);
    return readRuleTexts({
      allow: configuration.get('workspaceRules.allow'),
      ask: configuration.get('workspaceRules.ask'),
      deny: configuration.get('workspaceRules.deny'),
    });
  });
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const own = (name: string): unknown => configuration.inspect(`workspaceRules.${name}`)?.globalValue;
  read.push(readRuleTexts({ allow: own('allow'), ask: own('ask'), deny: own('deny') }));
  const all = (effect: keyof RuleTexts): readonly string[] => [...new Set(read.flatMap((texts) => texts[effect]))];
  return { allow: all('allow'), ask: all('ask'), deny: all('deny') };
}
