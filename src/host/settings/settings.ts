import * as vscode from 'vscode';
import { parseAgentSettings, type AgentSettings } from '../../agent/configuration/agentSettings';
import { ownLimit } from '../../agent/configuration/ownLimit';

type Settings = ReturnType<typeof parseAgentSettings>;

let newest: Settings | undefined;

/** The current settings. They are read once for the code that runs until its next `await`: VS Code takes long to look them up. */
export function readSettings(): Settings {
  if (newest) return newest;
  queueMicrotask(() => (newest = undefined));
  newest = readAgain();
  return newest;
}

/**
 * VS Code ignores settings of application scope in workspaces, and all of ours in untrusted ones. A workspace cannot raise a limit
 * that the person set.
 */
function readAgain(): Settings {
  const configuration = vscode.workspace.getConfiguration('openAgent');
  const limit = (name: string, effective: unknown): unknown =>
    ownLimit({ own: configuration.inspect(name)?.globalValue, effective });
  return parseAgentSettings({
    baseUrl: configuration.get('baseUrl'),
    certificateAuthority: configuration.get('certificateAuthority'),
    model: configuration.get('model'),
    temperature: configuration.get('temperature'),
    maxTokens: limit('maxTokens', configuration.get('maxTokens')),
    contextWindow: limit('contextWindow', configuration.get('contextWindow')),
    maxToolIterations: limit('maxToolIterations', configuration.get('maxToolIterations')),
    checks: configuration.get('checks'),
    modelOptions: configuration.get('modelOptions'),
    systemPrompt: configuration.get('systemPrompt'),
    profile: configuration.get('profile'),
    agent: configuration.get('agent'),
    permissionMode: configuration.get('permissionMode'),
    commandMode: configuration.get('commandMode'),
    confineCommands: configuration.get('confineCommands'),
    commandEnvironment: configuration.get('commandEnvironment'),
    profiles: configuration.get('profiles'),
    agents: configuration.get('agents'),
  });
}

/** Calls `listener` after each change of a setting of ours. `affects` takes the name without prefix. */
export function onSettingsChange(
  listener: (affects: (setting: keyof AgentSettings | 'rules' | 'workspaceRules' | 'useLaptop') => boolean) => void,
): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('openAgent')) {
      // VS Code can tell of a change without an end of the code before it.
      newest = undefined;
      listener((setting) => event.affectsConfiguration(`openAgent.${setting}`));
    }
  });
}
