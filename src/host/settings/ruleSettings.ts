import * as vscode from 'vscode';
import { readRuleTexts, type RuleTexts } from '../../agent/approval/ruleStore';

/** The user's own rules. VS Code keeps a workspace from setting them. */
export function userRules(): RuleTexts {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  return readRuleTexts({
    allow: configuration.get('rules.allow'),
    ask: configuration.get('rules.ask'),
    deny: configuration.get('rules.deny'),
  });
}

/** What the files of the workspace say, all its folders together: to be obeyed only where it restricts. */
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
  const all = (effect: keyof RuleTexts): readonly string[] => [...new Set(read.flatMap((texts) => texts[effect]))];
  return { allow: all('allow'), ask: all('ask'), deny: all('deny') };
}
