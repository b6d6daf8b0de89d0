import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { noRules, readRuleTexts, type RuleTexts } from '../../../../src/agent/approval/rules/ruleStore';
import { isJsonObject, type JsonObject } from '../../../../src/util/json';

/**
 * The rules in the settings of the opened folders and in the `.code-workspace` files beside them, as VS Code gives them to the
 * window (`src/host/settings/ruleSettings.ts`).
 */
export function readWorkspaceRules(folders: readonly string[]): RuleTexts {
  const all = folders.flatMap((folder) => [
    jsonOf(path.join(folder, '.vscode/settings.json')),
    ...namesIn(folder)
      .filter((name) => name.endsWith('.code-workspace'))
      .map((name) => jsonOf(path.join(folder, name))['settings']),
  ]);
  return all.filter(isJsonObject).reduce<RuleTexts>((found, settings) => {
    const { allow, ask, deny } = readRuleTexts({
      allow: settings['openAgent.workspaceRules.allow'],
      ask: settings['openAgent.workspaceRules.ask'],
      deny: settings['openAgent.workspaceRules.deny'],
    });
    return { allow: [...found.allow, ...allow], ask: [...found.ask, ...ask], deny: [...found.deny, ...deny] };
  }, noRules);
}

function namesIn(folder: string): readonly string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

/** Empty: there is no such file, or it is no JSON. */
function jsonOf(file: string): JsonObject {
  try {
    const stat = statSync(file);
    const value: unknown = stat.isFile() && stat.size < 100_000 ? JSON.parse(readFileSync(file, 'utf8')) : {};
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
